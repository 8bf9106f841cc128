import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiIPC

/// Frames that nobody's kit made: what Examples/c-module says, held to docs/protocol.cddl and to the decoder here.
@Suite("Frames of a program without a kit") struct ForeignFramesTests {
  private struct Captured {
    var header: FrameHeader
    var head: [UInt8]
    var payload: [UInt8]
  }

  /// Talks to the example through two files: it is told everything at once, for its call IDs are known.
  private func conversation() throws -> [Captured] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "forsetti-c-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let (module, input, output) = ("\(folder.path)/module", "\(folder.path)/in", "\(folder.path)/out")
    try run(["clang", "-static", "-o", module, root.path + "/Examples/c-module/module.c"])
    var told: [UInt8] = []
    told += try ProtocolMessage.identify(
      IdentifyMessage(versions: .current, moduleID: "com.example.c-module", entryPoint: "main")
    ).encoded()
    told += try ProtocolMessage.start(StartMessage(grants: [.storage])).encoded()
    told += reply(1, [0x61, 0x37])
    told += reply(2, [0xf6])
    told += try ProtocolMessage.ping.encoded() + ProtocolMessage.stop.encoded()
    try Data(told).write(to: URL(filePath: input))
    try run(["sh", "-c", "exec \"$0\" 3<\"$1\" 4>\"$2\" >/dev/null", module, input, output])
    return try frames(Array(Data(contentsOf: URL(filePath: output))))
  }

  private func reply(_ call: UInt64, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    FrameHeader(kind: .reply, length: UInt32(payload.count), headLength: 0, callID: call).encode(into: &bytes)
    return bytes + payload
  }

  private func run(_ words: [String]) throws {
    try #require(SpawnedProgram.run(words).status == 0, "\(words)")
  }

  private func frames(_ bytes: [UInt8]) throws -> [Captured] {
    var rest = bytes[...]
    var found: [Captured] = []
    while !rest.isEmpty {
      let header = try FrameHeader.decode(Array(rest.prefix(FrameHeader.size)).span)
      let body = rest.dropFirst(FrameHeader.size).prefix(Int(header.length))
      try #require(body.count == Int(header.length))
      found.append(
        Captured(
          header: header, head: Array(body.prefix(Int(header.headLength))),
          payload: Array(body.dropFirst(Int(header.headLength)))))
      rest = rest.dropFirst(FrameHeader.size + Int(header.length))
    }
    return found
  }

  @Test("the example says what the page says it says, each part as the CDDL has it") func example() throws {
    let frames = try conversation()
    let rules: [(FrameKind, head: String?, payload: String?)] = [
      (.describe, "describe-head", "describe-payload"), (.call, "call-head", "key-request"),
      (.call, "call-head", "set-request"), (.publish, "publish-head", "publish-payload"),
      (.started, nil, nil),
      (.pong, nil, nil), (.stopped, nil, nil),
    ]
    #expect(frames.map(\.header.kind) == rules.map(\.0))
    #expect(frames.map(\.header.callID) == [0, 1, 2, 0, 0, 0, 0])
    var lines: [String] = []
    for (frame, rule) in zip(frames, rules) {
      for (part, rule) in [(frame.head, rule.head), (frame.payload, rule.payload)] {
        guard let rule else {
          #expect(part.isEmpty)
          continue
        }
        lines.append("valid\t\(rule)\t\(hex(part))")
        // The deterministic encoding, which CDDL can't tell.
        #expect(try CBORValue.decode(part.span).encoded() == part)
      }
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "forsetti-c-\(UUID().uuidString)")
    try lines.joined(separator: "\n").write(to: file, atomically: false, encoding: .ascii)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try runScript("protocol_cddl.py", [file.path])
    #expect(result.status == 0, "\(result.output.prefix(2000))")
    // The count that the storage answered, and one more.
    #expect(String(decoding: frames[2].payload.suffix(1), as: UTF8.self) == "8")
  }
}
