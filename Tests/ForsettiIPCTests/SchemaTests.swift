import ForsettiCore
import Foundation
import Testing

@testable import ForsettiIPC

/// docs/protocol.cddl is for people who write a module in another language: it has to be true.
@Suite("CDDL")
struct SchemaTests {
  /// Rules of the CDDL for a kind's head and payload; `nil` where there is none.
  private func rules(_ kind: FrameKind) -> [String?] {
    switch kind {
    case .setUp: ["set-up-head", "set-up-payload"]
    case .locked: ["locked-head", nil]
    case .refused: ["refused-head", nil]
    case .identify: ["identify-head", "identify-payload"]
    case .describe: ["describe-head", "describe-payload"]
    case .describeFailed: [nil, "describe-failed-payload"]
    case .start: ["start-head", nil]
    case .startFailed: [nil, "start-failed-payload"]
    case .log: ["log-head", "log-payload"]
    case .publish: ["publish-head", "publish-payload"]
    case .release, .started, .stop, .stopped, .ping, .pong: [nil, nil]
    case .deliver, .dropped, .call, .reply, .failure, .cancel: [nil, nil]
    }
  }

  @Test("the CDDL accepts every part that is sent, and refuses it with a key too many or too few")
  func agrees() throws {
    var lines: Set<String> = []
    for message in Samples.messages {
      for (rule, part) in zip(rules(message.kind), try parts(of: message)) {
        guard let rule else {
          #expect(part.isEmpty)
          continue
        }
        lines.insert("valid\t\(rule)\t\(hex(part))")
        let name = rule.hasSuffix("head") ? "head" : "payload of \(message.kind)"
        for spoiled in try CBORValue.decode(part.span).spoiled(under: name) {
          // That contributions are there exactly if the head says so is more than the CDDL can tell.
          // What pycddl 0.6.4 takes for the second item of an array of maps is more than the CDDL allows.
          if spoiled.isInArray, !spoiled.isHarmless { continue }
          let isValid = spoiled.isHarmless || spoiled.missing == "contributions"
          lines.insert("\(isValid ? "valid" : "invalid")\t\(rule)\t\(hex(try spoiled.value.encoded()))")
        }
      }
    }
    for (rule, part) in try trafficParts() {
      lines.insert("valid\t\(rule)\t\(hex(part))")
      // Of another type.
      lines.insert("invalid\t\(rule)\tfb3ff199999999999a")
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "forsetti-cddl-\(UUID().uuidString)")
    try lines.sorted().joined(separator: "\n").write(to: file, atomically: false, encoding: .ascii)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try runScript("protocol_cddl.py", [file.path])
    #expect(result.status == 0, "\(result.output.prefix(2000))")
  }

  /// Heads and payloads of calls and events with their rules.
  private func trafficParts() throws -> [(String, [UInt8])] {
    var parts: [(String, [UInt8])] = []
    for sample in try Samples.calls() where !sample.rules.request.contains("str") {
      var head = CBORWriter()
      try sample.head.encode(into: &head)
      parts.append(("call-head", head.bytes))
      parts.append((sample.rules.request, sample.request))
    }
    for sample in try Samples.calls() where !sample.rules.response.contains("str") {
      parts.append((sample.rules.response, sample.response))
    }
    for error in Samples.errors { parts.append(("failure-head", try encoded(error))) }
    for source in ["com.example.a", nil] {
      var writer = CBORWriter()
      let delivery = EventHead.Delivery(source: source, time: -1)
      let trace = TraceContext(traceHigh: 1, traceLow: 2, spanID: 3)
      try EventHead(type: "t", trace: source.flatMap { _ in trace }, delivery: delivery).encode(into: &writer)
      parts.append(("deliver-head", writer.bytes))
    }
    return parts.filter { $0.0 != "bool" }
  }

  @Test("the example of docs/protocol.md is what is sent")
  func example() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/protocol.md"), encoding: .utf8)
    let blocks = page.components(separatedBy: "```")
    let example = try #require(blocks.dropLast().last)
    var digits = ""
    for line in example.split(separator: "\n") {
      for pair in line.split(separator: " ").prefix(while: { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }) {
        digits += pair
      }
    }
    let bytes = try ProtocolMessage.log(LogMessage(level: .info, message: "hi")).encoded()
    #expect(digits == hex(bytes))
  }
}
