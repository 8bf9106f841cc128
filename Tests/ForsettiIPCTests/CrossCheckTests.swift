import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiIPC

/// Another CBOR implementation, cbor2, judges what is written here, and what it writes is judged here. Lines as
/// `Tests/Python/cbor2_crosscheck.py` describes them.
@Suite("Cross-check with cbor2")
struct CrossCheckTests {
  private static let values = 1500

  @Test(
    "values that hypothesis makes and cbor2 writes are read as cbor2 reads them, and written byte for byte")
  func theirs() throws {
    let result = try runScript("cbor2_crosscheck.py", ["generate", "\(Self.values)"])
    try #require(result.status == 0, "\(result.output.suffix(2000))")
    let lines = result.output.split(separator: "\n")
    // hypothesis may find that it has made all there is to make of a kind, but not of so many.
    #expect(lines.count > Self.values / 2)
    for line in lines {
      let fields = line.split(separator: "\t")
      try #require(fields.count == 2)
      let bytes = hex(String(fields[0]))
      #expect(walkFault(bytes) == nil, "\(line)")
      let value = try CBORValue.decode(bytes.span)
      #expect(notation(value) == fields[1])
      let again = try value.encoded()
      #expect(again == bytes, "\(line)")
    }
  }

  @Test("values made and written here are read by cbor2 as what they are, and written byte for byte")
  func ours() throws {
    var generator = SeededGenerator(state: 3)
    var lines = ""
    for _ in 0..<Self.values {
      let bytes = try randomValue(depth: 3, using: &generator).encoded()
      lines += hex(bytes) + "\t" + notation(try CBORValue.decode(bytes.span)) + "\n"
    }
    for message in Samples.messages {
      for part in try parts(of: message) where !part.isEmpty {
        lines += hex(part) + "\t" + notation(try CBORValue.decode(part.span)) + "\n"
      }
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "forsetti-cbor-\(UUID().uuidString)")
    try lines.write(to: file, atomically: false, encoding: .ascii)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try runScript("cbor2_crosscheck.py", ["check", file.path])
    #expect(result.status == 0, "\(result.output.suffix(2000))")
  }
}

/// Head and payload of a message's frame.
func parts(of message: ProtocolMessage) throws -> [[UInt8]] {
  let bytes = try message.encoded()
  let header = try FrameHeader.decode(bytes.span)
  let body = bytes.dropFirst(FrameHeader.size)
  return [Array(body.prefix(Int(header.headLength))), Array(body.dropFirst(Int(header.headLength)))]
}

/// The value as text that leaves no room; maps in the order of their members.
private func notation(_ value: CBORValue) -> String {
  switch value {
  case .unsigned(let value): "\(value)"
  case .negative(UInt64.max): "-18446744073709551616"
  case .negative(let value): "-\(value + 1)"
  case .bytes(let value): "h'\(hex(value))'"
  case .text(let value): "t'\(hex(Array(value.utf8)))'"
  case .bool(let value): value ? "true" : "false"
  case .null: "null"
  case .float(let value):
    "f'" + hex((0..<8).reversed().map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }) + "'"
  case .array(let items): "[" + items.map(notation).joined(separator: ",") + "]"
  case .map(let members):
    "{" + members.map { notation($0.key) + ":" + notation($0.value) }.joined(separator: ",") + "}"
  }
}

private struct NoPython: Error, CustomStringConvertible {
  var path: String
  var description: String { "there is no \(path): make it with `make venv`" }
}

/// Runs a script of Tests/Python in the checkout's virtual environment and waits for it.
func runScript(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let python = root.appending(path: ".venv/bin/python")
  guard FileManager.default.isExecutableFile(atPath: python.path) else { throw NoPython(path: python.path) }
  let words = [python.path, root.appending(path: "Tests/Python/\(name)").path] + arguments
  let (status, output) = try SpawnedProgram.run(words, errors: true)
  return (status, String(decoding: output, as: UTF8.self))
}
