import Foundation
import ForsettiCore
import Testing

/// The Debian package, as far as it can be held without making it; `make deb` and `make deb-test` do the rest.
@Suite struct PackagingTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: Product.checkout + "/" + path, encoding: .utf8)
  }

  @Test("the package has the version of the program")
  func version() throws {
    let first = try Self.text("packaging/debian/changelog").prefix { $0 != "\n" }
    #expect(first.hasPrefix("forsetti (\(ForsettiVersion.current)) "), "\(first)")
  }

  @Test("every program that Package.swift gives out is shipped, and nothing else")
  func programs() throws {
    let products = try Self.text("Package.swift").matches(of: #/\.executable\(name: "([^"]+)"/#)
      .map { String($0.output.1) }
    let lines = try Self.text("Makefile").split(separator: "\n")
      .filter { $0.hasPrefix("PROGRAMS := ") || $0.hasPrefix("HELPERS := ") }
    let shipped = lines.flatMap { $0.split(separator: " ").dropFirst(2).map(String.init) }
    #expect(Set(products) == Set(shipped) && !shipped.isEmpty)
  }
}
