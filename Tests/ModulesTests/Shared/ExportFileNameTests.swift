import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("Names of exported files") struct ExportFileNameTests {
  private static let prefixes: [(String, String)] = [
    ("report", "report"), (" My Report_2 ", "My Report_2"), ("../etc/passwd", "etcpasswd"),
    ("", "export"), ("///\u{202E}\n", "export"), ("Zoë’s Macs", "Zoës Macs"), ("=1+1", "11"),
  ]

  @Test("carry the time in UTC, and of a prefix what a file's name may hold", arguments: prefixes)
  func names(prefix: String, kept: String) {
    let name = ExportFileName.make(prefix, at: 1_796_002_119_123, fileExtension: "csv")
    #expect(name == "\(kept)-20261130-012839.csv")
  }

  @Test("stay within what a file's name may have, and cut no character in two")
  func long() {
    let name = ExportFileName.make(String(repeating: "é", count: 1_000), at: .max, fileExtension: "json")
    #expect(name.utf8.count <= 255)
    #expect(name.hasSuffix("é-99991231-235959.json"))
  }
}
