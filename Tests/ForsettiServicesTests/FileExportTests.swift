import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiServices

@Suite struct FileExportTests {
  @Test(
    "a suggestion comes to the last component of its path",
    arguments: [
      ("a.txt", "a.txt"), ("../../evil.txt", "evil.txt"), ("/tmp/evil.txt", "evil.txt"),
      (#"C:\x\y.txt"#, "y.txt"), ("a/b/c.txt", "c.txt"), (#"foo\"#, "foo"), ("foo/", "foo"), ("foo//", "foo"),
      ("%2e%2e%2fq.txt", "%2e%2e%2fq.txt"), (".hidden", ".hidden"), ("...", "..."), ("~", "~"), (" a ", "a"),
      ("a b", "a b"), ("../a/./b", "b"), ("e\u{301}.txt", "e\u{301}.txt"),
      ("a;rm -rf $HOME`x`'\"", "a;rm -rf $HOME`x`'\""),
      (String(repeating: "n", count: 255), String(repeating: "n", count: 255)),
    ])
  func names(suggestion: String, name: String) throws {
    #expect(try Array(ExportName.name(of: suggestion).utf8) == Array(name.utf8))
  }

  @Test(
    "a suggestion that names no file is refused",
    arguments: [
      "", " ", "\u{3000}", "/", "//", #"\"#, ".", "..", "a/..", "a/.", #"a\.."#, "/ / ", "a/ .. ", "a\0",
      "a\0/b.txt",
      "a\nb", "a.txt\n", "\u{7f}", "\u{85}", "\u{9b}", "\u{1b}[2J", "a\u{1}/b\u{2}",
      String(repeating: "n", count: 256), String(repeating: "\u{e9}", count: 128),
      String(repeating: "a/", count: 3_000) + "b",
    ])
  func refused(suggestion: String) {
    #expect {
      _ = try ExportName.name(of: suggestion)
    } throws: { error in
      guard case ServiceError.invalidArgument("suggestedFileName", _) = error else { return false }
      return true
    }
  }

  @Test(
    "a taken name gets a number before its ending",
    arguments: [
      ("a.txt", "a (2).txt"), ("a", "a (2)"), (".hidden", ".hidden (2)"), ("a.tar.gz", "a.tar (2).gz"),
      ("a.", "a. (2)"), ("...", "... (2)"),
      (String(repeating: "n", count: 255), String(repeating: "n", count: 251) + " (2)"),
      (
        String(repeating: "\u{e9}", count: 125) + ".txt", String(repeating: "\u{e9}", count: 123) + " (2).txt"
      ),
    ])
  func numbered(name: String, expected: String) {
    #expect(ExportName.numbered(name, 2) == expected)
    #expect(ExportName.numbered(name, 2).utf8.count <= 255)
  }

  @Test("files are written whole, and none is overwritten") func export() async throws {
    let scratch = try Scratch()
    let exports = try await scratch.services().fileExport(caller("a.One"))
    let first = try await exports.export([1, 2], suggestedFileName: "../report.txt")
    let second = try await exports.export([3], suggestedFileName: "report.txt")
    let third = try await exports.export([], suggestedFileName: "report.txt")
    #expect(first == scratch("exports/a.one/report.txt"))
    #expect(second == scratch("exports/a.one/report (2).txt"))
    #expect(third == scratch("exports/a.one/report (3).txt"))
    #expect(try Data(contentsOf: URL(filePath: first)) == Data([1, 2]))
    #expect(try Data(contentsOf: URL(filePath: second)) == Data([3]))
    #expect(try Data(contentsOf: URL(filePath: third)).isEmpty)
    var status = stat()
    #expect(stat(first, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("exports/.drafts")).isEmpty)
  }

  @Test("a link that stands where the file would go is neither followed nor replaced") func link()
    async throws
  {
    let scratch = try Scratch()
    let exports = try await scratch.services().fileExport(caller("a.one"))
    _ = try await exports.export([1], suggestedFileName: "a")
    let target = scratch("target")
    symlink(target, scratch("exports/a.one/b"))
    #expect(try await exports.export([2], suggestedFileName: "b") == scratch("exports/a.one/b (2)"))
    #expect(access(target, F_OK) != 0)
  }

  @Test("a module's folder that is a link is not entered") func linkedFolder() async throws {
    let scratch = try Scratch()
    let services = try await scratch.services()
    mkdir(scratch("elsewhere"), 0o700)
    symlink(scratch("elsewhere"), scratch("exports/a.one"))
    await #expect {
      _ = try await services.fileExport(caller("a.one")).export([1], suggestedFileName: "a")
    } throws: { error in
      guard case ServiceError.failed("io", _) = error else { return false }
      return true
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("elsewhere")).isEmpty)
  }

  @Test("modules and origins export into folders of their own") func folders() async throws {
    let services = try await Scratch().services()
    let bundle = ModuleOrigin.bundle(sha256: String(repeating: "0", count: 64), key: nil)
    let long = "a." + String(repeating: "b", count: 300)
    var folders: Set<String> = []
    for caller in [
      caller("a.one"), caller("a.two"), caller("a.one", origin: bundle), caller(long), caller(long + "c"),
    ] {
      let path = try await services.fileExport(caller).export([1], suggestedFileName: "x")
      #expect(path.hasSuffix("/x"))
      folders.insert(URL(filePath: path).deletingLastPathComponent().lastPathComponent)
    }
    #expect(folders.count == 5)
  }

  @Test("the quota counts bytes and files, and people may make room") func quota() async throws {
    let scratch = try Scratch()
    let services = try await scratch.services { $0.exportQuota = ExportQuota(bytes: 10, files: 2) }
    let exports = services.fileExport(caller("a.one"))
    func isRefused(_ count: Int) async -> Bool {
      do {
        _ = try await exports.export([UInt8](repeating: 0, count: count), suggestedFileName: "x")
        return false
      } catch {
        guard case .quotaExceeded = error else { return false }
        return true
      }
    }
    #expect(await isRefused(11))
    #expect(await !isRefused(9))
    #expect(await isRefused(2))
    #expect(await !isRefused(1))
    #expect(await isRefused(0))
    unlink(scratch("exports/a.one/x"))
    #expect(await !isRefused(9))
    // Another start knows of what is there.
    let again = try await scratch.services { $0.exportQuota = ExportQuota(bytes: 10, files: 2) }
    await #expect(throws: ServiceError.self) {
      _ = try await again.fileExport(caller("a.one")).export([1], suggestedFileName: "y")
    }
  }

  @Test("acknowledged files survive kill -9 whole, and drafts do not stay") func kill() async throws {
    let scratch = try Scratch()
    let probe = try ChildProgram("forsetti-service-probe", "exports", scratch.path)
    var paths: [String] = []
    while paths.count < 50, let line = probe.line() { paths.append(line) }
    probe.kill()
    #expect(paths.count == 50)
    for path in paths {
      #expect(try Data(contentsOf: URL(filePath: path)) == Data(repeating: 7, count: 100_000))
    }
    try Data([1]).write(to: URL(filePath: scratch("exports/.drafts/99")))
    _ = try await scratch.services()
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("exports/.drafts")).isEmpty)
    // Whatever has a name is whole.
    for name in try FileManager.default.contentsOfDirectory(atPath: scratch("exports/a.writer")) {
      let data = try Data(contentsOf: URL(filePath: scratch("exports/a.writer/\(name)")))
      #expect(data.count == 100_000)
    }
  }
}
