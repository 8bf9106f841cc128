import ForsettiCore
import Foundation
import Testing

@testable import ForsettiSupervisor

/// The man page, the completion and the installation, held to what the program itself says.
@Suite struct ManPageTests {
  private static func page() throws -> [String] {
    try String(contentsOfFile: Product.checkout + "/docs/man/forsetti-supervisor.1", encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  /// As it stands in the page: no hyphen is a place to break, and no backquote a quote.
  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "-", with: "\\-").replacingOccurrences(of: "`", with: "\\(ga")
  }

  @Test("has every command with its operands, and what help says of it", arguments: CommandName.allCases)
  func commands(command: CommandName) throws {
    let lines = try Self.page()
    let place = try #require(
      lines.firstIndex(of: ".B " + Self.escaped(command.rawValue + command.operands)), "\(command)")
    #expect(lines[place + 1] == Self.escaped(command.summary))
  }

  @Test("tells of a command what help tells below its options", arguments: CommandName.allCases)
  func details(command: CommandName) throws {
    let lines = try Self.page()
    let place = try #require(
      lines.firstIndex(of: ".B " + Self.escaped(command.rawValue + command.operands)), "\(command)")
    let text = lines[(place + 2)...].prefix { $0 != ".TP" && !$0.hasPrefix(".SH") }.filter { $0 != ".IP" }
    let told = text.flatMap { $0.replacingOccurrences(of: "\\&", with: "").split(separator: " ") }
    let meant = Self.escaped(HelpText.details(command) ?? "").split { $0 == " " || $0 == "\n" }
    #expect(told == meant, "\(command)")
  }

  @Test("has every option with its value, what help says of it, and the commands that know it")
  func options() throws {
    let lines = try Self.page()
    for option in Option.allCases {
      let name = "--" + option.rawValue + (option.placeholder.map { " " + $0 } ?? "")
      let place = try #require(lines.firstIndex(of: ".B " + Self.escaped(name)), "\(name)")
      #expect(lines[place + 1] == Self.escaped(option.summary))
      let owners = CommandName.allCases.filter { option.commands.contains($0) }
      let isEvery = owners.count == CommandName.allCases.count
      let text = isEvery ? "every command" : owners.map(\.rawValue).joined(separator: ", ")
      #expect(lines[place + 2] == ".RI ( \"\(Self.escaped(text))\" )", "\(name)")
    }
  }

  @Test("help and page name no file of a checkout, and only pages that are installed")
  func references() throws {
    let pages = Set(try ManPage.all())
    for text in CommandName.allCases.map(HelpText.of) + [
      HelpText.of(nil), try Self.page().joined(separator: "\n"),
    ] {
      #expect(!text.contains("docs/") && !text.contains(".md"))
      for page in text.replacingOccurrences(of: "\\-", with: "-").matches(of: #/(forsetti-[a-z-]+)\((\d)\)/#)
      {
        #expect(pages.contains("\(page.output.1).\(page.output.2)"), "\(page.output.0)")
      }
    }
  }

  @Test("has every lint rule, and what it is about")
  func lintRules() throws {
    let entries = try #require(ManPage("forsetti-supervisor.1").entries["LINT RULES"])
    #expect(Set(entries.keys) == Set(LintRule.allCases.map(\.rawValue)))
    for rule in LintRule.allCases {
      #expect(entries[rule.rawValue] == " " + rule.summary)
    }
    let notes = LintRule.allCases.filter { $0.level == .note }
    #expect(notes == LintRule.allCases.suffix(2), "the page says that the last two are notes")
  }

  @Test("names every exit status")
  func statuses() throws {
    let text = try Self.page().joined(separator: " ")
    for status in ForsettiSupervisor.ExitStatus.allCases where status != .success {
      #expect(text.contains("\(status.rawValue) "), "\(status)")
    }
  }
}
