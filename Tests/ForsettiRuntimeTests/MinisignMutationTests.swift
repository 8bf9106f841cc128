import ForsettiCore
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

/// Signature files and keys, a little wrong.
@Suite("Mutated signatures and keys") struct MinisignMutationTests {
  private static let tokens = [
    "\n", "\r\n", "untrusted comment: ", "trusted comment: ", "RUS4", "RWS4", "=", "==", "AAAA", "\u{0}",
  ]

  @Test("no file makes the reader trap, and none but the signature itself holds", arguments: 1...4)
  func signatures(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let key = try #require(MinisignKey(MinisignTests.key))
    let statement = Array(MinisignTests.statement.text.utf8)
    let seeds = [MinisignTests.prehashed, MinisignTests.legacy].map { Array($0.utf8) }
    /// The lines that are signed; of the first, whatever it says, nobody has vouched.
    func signed(_ bytes: [UInt8]) -> [[UInt8]] {
      bytes.filter { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: "\n")).dropFirst().map {
        Array($0)
      }
    }
    var (read, held) = (0, 0)
    for round in 0..<3_000 {
      let original = seeds[round % seeds.count]
      let bytes = random.mutation(of: original, tokens: Self.tokens)
      guard let signature = try? MinisignSignature(bytes) else { continue }
      read += 1
      guard (try? signature.verify(statement, by: key)) != nil else { continue }
      held += 1
      #expect(signed(bytes) == signed(original), "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(read > held && held > 0)
  }

  @Test("no text makes the reader of keys trap, and what is a key is written as it was", arguments: 1...4)
  func keys(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      let bytes = random.mutation(of: Array(MinisignTests.key.utf8), tokens: ["=", "RW", "+", "/", "\n"])
      let text = String(decoding: bytes, as: UTF8.self)
      guard let key = MinisignKey(text) else { continue }
      #expect(key.text == text && key.identifier.count == 8 && key.publicKey.count == 32)
    }
  }
}
