import Foundation
import Testing

/// `docs/writing-a-module.md` can be followed to the end: what it shows is in the checkout, what it says to run works.
@Suite struct WritingAModuleTests {
  private struct Block {
    var language: String
    var text: String
    /// The last file named before it in code quotes.
    var file: String?
  }

  private static func blocks() throws -> [Block] {
    let text = try String(contentsOfFile: Product.checkout + "/docs/writing-a-module.md", encoding: .utf8)
    var blocks: [Block] = []
    var open: Block?
    var file: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let block = open { blocks.append(block) }
        open = open == nil ? Block(language: String(line.dropFirst(3)), text: "", file: file) : nil
      } else if open != nil {
        open?.text += line + "\n"
      } else if let name = line.firstMatch(of: /`([A-Za-z\/]+\.(?:swift|json))`:$/) {
        file = String(name.1)
      }
    }
    return blocks
  }

  @Test("every block of code is in the file that it names, word for word") func code() throws {
    let code = try Self.blocks().filter { $0.language != "console" }
    #expect(code.count == 10)
    for block in code {
      let file = try #require(block.file)
      let content = try String(contentsOfFile: Product.checkout + "/" + file, encoding: .utf8)
      #expect(content.contains(block.text), "\(file) has not:\n\(block.text)")
    }
  }

  @Test("every command of the supervisor succeeds, one after the other") func commands() async throws {
    let scratch = try Scratch()
    let commands = try Self.blocks().filter { $0.language == "console" }
      .flatMap { $0.text.split(separator: "\n") }
      .filter { $0.hasPrefix("$ .build/release/forsetti-supervisor ") }
    #expect(commands.count == 3)
    for command in commands {
      let arguments = command.split(separator: " ").dropFirst(2).map { word in
        switch word {
        case "/tmp/forsetti-examples": scratch("state")
        case _ where word.contains("/"): Product.checkout + "/" + word
        default: String(word)
        }
      }
      let end = try await SupervisorProcess.run(arguments)
      #expect(end.status == 0, "\(command)\n\(end.errors)")
    }
  }

  @Test("every file and link that it names exists") func links() throws {
    let text = try String(contentsOfFile: Product.checkout + "/docs/writing-a-module.md", encoding: .utf8)
    let named =
      text.matches(of: /`((?:Sources|Tests|Resources|policy|docs)\/[A-Za-z\/.]+)`/).map { String($0.1) }
      + text.matches(of: /\]\(([^)]+)\)/).map { "docs/" + $0.1 }
    #expect(named.count > 10)
    for path in named {
      #expect(FileManager.default.fileExists(atPath: Product.checkout + "/" + path), "\(path)")
    }
  }
}
