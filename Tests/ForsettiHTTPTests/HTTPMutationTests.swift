import ForsettiCore
import ForsettiTestKit
import Testing

@testable import ForsettiHTTP

/// What strangers write into a request, a little wrong.
@Suite("Mutated targets, forms and cookies") struct HTTPMutationTests {
  private static let seeds = [
    "/", "/api/status?module=com.example.a&type=%C3%BC+x", "/m%C3%B6dul/a%20b%2525?x=1+2&y=%26%3D&flag",
  ]
  private static let tokens = [
    "%", "%2", "%zz", "%00", "%2e%2e", "..", "//", "/./", "\\", "?", "&", "=", "+", "#", ";", "\u{0}", "\r\n",
    "\u{202E}", "\u{D7FF}", "http://x",
  ]

  @Test("no target makes the reader trap, and a path that is taken is one place alone", arguments: 1...4)
  func targets(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var taken = 0
    for round in 0..<5_000 {
      let bytes = random.mutation(of: Array(Self.seeds[round % Self.seeds.count].utf8), tokens: Self.tokens)
      guard let target = try? HTTPTarget(String(decoding: bytes, as: UTF8.self)) else { continue }
      taken += 1
      let segments = target.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      #expect(target.path.utf8.first == UInt8(ascii: "/") && !segments.contains { $0 == "." || $0 == ".." })
      #expect(segments.dropLast().allSatisfy { !$0.isEmpty })
      #expect(!target.path.unicodeScalars.contains { $0.value < 0x20 || $0 == "\\" })
      #expect(target.query.fields.count <= HTTPTarget.maximumParameters)
    }
    #expect(taken > 100)
  }

  @Test("no body makes the reader of forms trap, and no header that of cookies", arguments: 1...4)
  func forms(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let form = random.mutation(of: Array("a=1&b=%C3%BC+%2B&c".utf8), tokens: Self.tokens)
      if let query = HTTPQuery(form: form) {
        #expect(query.fields.count <= HTTPTarget.maximumParameters)
      }
      let header = random.mutation(of: Array("a=1; id=x=y; b=2".utf8), tokens: [";", "=", "; ", "id="])
      let text = String(decoding: header, as: UTF8.self)
      let value = HTTPRequest(path: "/", headers: ["Cookie": text]).cookie("id")
      #expect(value.map { text.contains("id=" + $0) && !$0.contains(";") } ?? true)
    }
  }

  @Test("no text makes the reader of addresses trap, and what is one is written as one", arguments: 1...4)
  func addresses(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<5_000 {
      let seed = ["127.0.0.1:8666", "localhost:0", "unix:/run/x.sock"][round % 3]
      let bytes = random.mutation(
        of: Array(seed.utf8), tokens: [":", "unix:", "/", "65536", "-1", "\u{0}", "٣"])
      guard let address = ListenAddress(String(decoding: bytes, as: UTF8.self)) else { continue }
      #expect(ListenAddress(address.description) == address)
    }
  }
}
