import CLinux
import ForsettiCore
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

@Suite("The journal") struct JournalLogTests {
  private struct NoSocket: Error {}

  private static func listen(_ path: String) throws -> Descriptor {
    let number = cl_unix_datagram_socket()
    guard number >= 0, cl_unix_bind(number, path) == 0 else { throw NoSocket() }
    return Descriptor(owning: number)
  }

  /// The fields of the next datagram that is not empty; `nil` when none is there.
  private static func next(_ socket: borrowing Descriptor) -> [String: String]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var count = 0
    repeat { count = recv(socket.number, &buffer, buffer.count, 0) } while count == 0
    guard count > 0 else { return nil }
    var fields: [String: String] = [:]
    var rest = buffer[..<count]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let name = String(decoding: rest[..<end], as: UTF8.self)
      var length = 0
      for (index, byte) in rest[(end + 1)...].prefix(8).enumerated() { length |= Int(byte) << (8 * index) }
      let begin = end + 9
      fields[name] = String(decoding: rest[begin..<(begin + length)], as: UTF8.self)
      rest = rest[(begin + length + 1)...]
    }
    return fields
  }

  @Test("takes records as fields, and no text of a module becomes a field of its own")
  func fields() throws {
    let scratch = try Scratch()
    let journal = try Self.listen(scratch("journal"))
    let sink = try JournalLogSink(path: scratch("journal"))
    sink.write(
      LogRecord(
        time: 1, level: .warning, origin: .module, moduleID: "com.example.a",
        message: "a\nPRIORITY=0\nFORSETTI_MODULE=com.example.b", metadata: ["_UID": "0", "k": "v"]))
    let next = Self.next(journal)
    let fields = try #require(next)
    #expect(
      fields == [
        "MESSAGE": "a\nPRIORITY=0\nFORSETTI_MODULE=com.example.b", "PRIORITY": "4",
        "SYSLOG_IDENTIFIER": "forsetti", "FORSETTI_ORIGIN": "module", "FORSETTI_MODULE": "com.example.a",
        "FORSETTI_METADATA": "{\"_UID\":\"0\",\"k\":\"v\"}",
      ])
  }

  @Test("what it has no room for is counted, and told of before the next record")
  func full() throws {
    let scratch = try Scratch()
    let journal = try Self.listen(scratch("journal"))
    let sink = try JournalLogSink(path: scratch("journal"))
    let total = 5_000
    for number in 0..<total { sink.write(LogRecord(time: 1, level: .info, message: "\(number)")) }
    var heard = 0
    while let fields = Self.next(journal) {
      #expect(fields["MESSAGE"] == "\(heard)")
      heard += 1
    }
    #expect(heard < total)
    sink.write(LogRecord(time: 1, level: .info, message: "last"))
    #expect(Self.next(journal)?["FORSETTI_METADATA"] == "{\"dropped\":\"\(total - heard)\"}")
    #expect(Self.next(journal)?["MESSAGE"] == "last")
  }

  @Test("that is not there is none")
  func absent() throws {
    let scratch = try Scratch()
    let error = #expect(throws: SystemError.self) { _ = try JournalLogSink(path: scratch("none")) }
    #expect(error?.errno == ENOENT)
  }
}
