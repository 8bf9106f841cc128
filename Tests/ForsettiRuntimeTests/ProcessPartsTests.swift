import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

@Suite("Lines and rates of a module's output")
struct ProcessPartsTests {
  @Test("lines are the same however the bytes are cut", arguments: 1...7)
  func cuts(_ size: Int) {
    let bytes = Array("one\n\ntwo\u{e9}\n\u{1F600} three\nrest".utf8)
    var lines = LogLines()
    var found: [String] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
        lines.feed($0) { found.append($0.text) }
      }
    }
    #expect(found == ["one", "", "two\u{e9}", "\u{1F600} three"])
    lines.finish { found.append($0.text) }
    #expect(found.last == "rest")
    lines.finish { found.append($0.text) }
    #expect(found.count == 5)
  }

  @Test("a line of exactly the limit is whole, one byte more is cut and counted, the next is untouched")
  func limit() {
    var lines = LogLines()
    var found: [LogLines.Line] = []
    for length in [LogLines.maximumLength, LogLines.maximumLength + 1, 3] {
      let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length) + [UInt8(ascii: "\n")]
      bytes.withUnsafeBytes { lines.feed($0) { found.append($0) } }
    }
    #expect(found.map(\.droppedBytes) == [0, 1, 0])
    #expect(found.map(\.text.utf8.count) == [LogLines.maximumLength, LogLines.maximumLength, 3])
  }

  @Test("a status file gives the whole number of a line, and nothing where there is none")
  func statusFile() {
    let status = StatusFile(
      "Name:\tThreads: 9\nThreads:\t1\nSeccomp:\t2\nSeccomp_filters:\t1\nPss:     312 kB\n")
    #expect(status.integer("Threads") == 1)
    #expect(status.integer("Seccomp") == 2)
    #expect(status.integer("Pss") == 312)
    #expect(status.integer("Name") == nil)
    #expect(status.integer("NoNewPrivs") == nil)
    #expect(StatusFile(of: -1)?.integer("Pid") == nil)
  }
}
