import ForsettiCore
import ForsettiIPC
import ForsettiRuntime
import Foundation
import Testing

@testable import ForsettiSupervisor

/// Holds docs/control.cddl to what is sent, by a validator of other people.
@Suite struct ControlSchemaTests {
  private static let python = Product.checkout + "/.venv/bin/python"

  /// A value with every member that may be absent, for each rule of the CDDL that has one.
  private static func samples() -> [(String, CBORValue)] {
    var status = StatusRequest()
    status.module = "a"
    var logs = LogsRequest()
    logs.module = "a"
    var event = EventItem()
    event.moduleID = "com.example.a"
    var events = EventsRequest("*")
    events.patterns = ["a.b", "a.*"]
    var entitlement = EntitlementItem()
    entitlement.productID = "p"
    var call = CallRequest()
    call.parameters = .object([("path", .string("/v1"))])
    var callAnswer = CallAnswer()
    callAnswer.result = .array([.integer(1), .null])
    var render = RenderQuery()
    render.module = "a"
    render.parameters = ["k": "v"]
    var publish = PublishRequest()
    publish.module = "a"
    publish.payload = ["k": "v"]
    var surface = SurfaceAnswer()
    surface.renderers = ["home": "com.example.a"]
    surface.routeTitles = ["home": "Home"]
    var explain = ExplainRequest()
    explain.module = "a"
    var module = ReloadReport.Module()
    module.changes = ["manifest"]
    var figures = ModuleFiguresItem()
    figures.latency = [1, 2]
    figures.memoryBytes = 1
    figures.cpuSeconds = 0.5
    var line = LiveLine()
    line.memoryBytes = 1
    var live = LiveAnswer()
    live.supervisor.memoryBytes = 1
    live.supervisor.cpuSeconds = 0.5
    var overview = OverviewLine()
    overview.activeSinceMilliseconds = -1
    var hello = ControlHello.Answer()
    hello.version = 1
    var change = ChangeAnswer()
    change.moduleID = "a"
    var dossier = ModuleAnswer("a", state: "failed", Standstill(fault: "f", wayOut: "w"))
    dossier.displayName = "A"
    dossier.origin = "built-in"
    dossier.file = "/a.json"
    dossier.sha256 = "0"
    dossier.manifest = "{}"
    dossier.warnings = ["1:1: w"]
    dossier.gates = [
      ModuleGateItem(ExplainReport.Gate(name: "manifest", outcome: .passed, reason: "valid"))
    ]
    dossier.decisions = [
      ModuleDecision(
        .capability, "storage", "granted", "why",
        by: PolicySource(file: "p", line: 1, column: 1, pattern: "a.*"))
    ]
    let secret = SecretItem(
      SecretDeclaration(
        secretID: "s", moduleID: "a.b", title: "t",
        fields: [.init(fieldID: "f", label: "l", kind: .choice, choices: ["a"])]), state: "active")
    var setSecret = SetSecretRequest()
    setSecret.values = ["f": "a"]
    return [
      ("secrets-item", secret.control), ("setSecret-request", setSecret.control),
      ("setSecret-answer", SetSecretAnswer().control),
      ("hello-request", ControlHello.Request(ControlLimits.versions, scope: .console).control),
      ("hello-request", ControlHello.Request(ControlLimits.versions).control),
      ("hello-answer", hello.control),
      ("module-request", ModuleRequest("a").control), ("module-request", ModuleRequest().control),
      ("change-answer", change.control), ("change-answer", ChangeAnswer().control),
      ("health-answer", HealthAnswer().control), ("publish-request", publish.control),
      ("module-answer", dossier.control), ("module-answer", ModuleAnswer().control),
      ("live-request", LiveRequest().control), ("live-item", line.control), ("live-item", LiveLine().control),
      ("live-answer", live.control), ("live-answer", LiveAnswer().control),
      ("status-request", status.control), ("status-answer", StatusReport().control),
      ("overview-request", OverviewRequest().control), ("overview-item", OverviewLine().control),
      ("overview-item", overview.control),
      ("overview-answer", StatusReport().control),
      ("surface-answer", surface.control), ("logs-request", logs.control),
      ("logs-item", LogItem(sampleRecord).control),
      ("reload-request", ReloadRequest(isTrial: true).control), ("reload-item", module.control),
      ("reload-answer", ReloadReport().control), ("events-request", EventsRequest("*").control),
      ("events-request", events.control),
      ("events-item", event.control), ("events-item", EventItem().control),
      ("figures-item", figures.control), ("figures-answer", FiguresAnswer().control),
      ("entitlements-item", entitlement.control), ("entitlements-answer", EntitlementsAnswer().control),
      ("call-request", call.control), ("call-answer", callAnswer.control), ("render-request", render.control),
      ("render-answer", RenderAnswer().control), ("explain-request", explain.control),
      ("console-answer", ConsoleAnswer().control), ("retry-answer", RetryAnswer().control),
      ("explain-answer", ExplainAnswer().control), ("accept-request", AcceptRequest().control),
    ]
  }

  private static var sampleRecord: LogRecord {
    LogRecord(time: 1, level: .info, origin: .module, moduleID: "a", message: "m", metadata: ["k": "v"])
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(
    "what is sent is valid by the CDDL, with members of newer versions too; another type of a member is not",
    .enabled(if: access(python, X_OK) == 0, "make venv"))
  func records() async throws {
    let scratch = try Scratch()
    var lines: [String] = []
    for (rule, value) in Self.samples() {
      lines.append("valid\t\(rule)\t\(Self.hex(try value.encoded()))")
      guard case .map(let members) = value else { continue }
      let newer = CBORValue.map(members + [CBORMember(.text("zzz"), .bool(true))])
      lines.append("valid\t\(rule)\t\(Self.hex(try newer.encoded()))")
      lines.append("invalid\t\(rule)\tfb3ff199999999999a")
      for (index, member) in members.enumerated() where member.value != .null {
        guard !Self.isAnything(member.key, of: rule) else { continue }
        var spoiled = members
        spoiled[index].value = Self.another(than: member.value)
        lines.append("invalid\t\(rule)\t\(Self.hex(try CBORValue.map(spoiled).encoded()))")
      }
    }
    var queue = OutboundQueue()
    for failure in [
      ControlFailure(.denied, .noPermission, "no"),
      ControlFailure(.failed, .dataError, "no", details: ["a", "b"]),
    ] {
      try ControlMessage.failure(failure).encode(into: &queue, callID: 1)
      lines.append("valid\tfailure-head\t\(Self.hex(Self.head(of: &queue)))")
    }
    try ControlMessage.call(operation: "status", .map([]), timeoutMilliseconds: 0).encode(
      into: &queue, callID: 1)
    lines.append("valid\tcall-head\t\(Self.hex(Self.head(of: &queue)))")
    try ControlMessage.dropped(7).encode(into: &queue, callID: 1)
    lines.append("valid\tdropped-head\t\(Self.hex(Self.head(of: &queue)))")
    let file = try scratch.write("items", lines.joined(separator: "\n"))
    let end = try await SupervisorProcess.run(
      [Product.checkout + "/Tests/Python/protocol_cddl.py", file, "docs/control.cddl"],
      executable: Self.python)
    #expect(end.status == 0, "\(end.output.prefix(2000))\(end.errors.prefix(2000))")
  }

  /// A value of another type. No bytes: beside a choice of words the validator (cddl 0.9.5) dies of them.
  private static func another(than value: CBORValue) -> CBORValue {
    if case .text = value { return .unsigned(1) }
    return .text("x")
  }

  /// Members that JSON of any shape may stand in, so that no type is wrong there but bytes in it.
  private static func isAnything(_ key: CBORValue, of rule: String) -> Bool {
    [.text("surface"), .text("parameters"), .text("result"), .text("view"), .text("report")].contains(key)
      && rule != "render-request"
  }

  /// The head of the one frame that waits; its length is in the header's seventh and eighth byte (protocol.md).
  private static func head(of queue: inout OutboundQueue) -> [UInt8] {
    let bytes = queue.withPendingBytes { Array($0) }
    queue.removeAll()
    return Array(bytes.dropFirst(FrameHeader.size).prefix(Int(bytes[6]) | Int(bytes[7]) << 8))
  }

  @Test("every operation has its rules in the CDDL")
  func operations() throws {
    let text = try String(contentsOfFile: Product.checkout + "/docs/control.cddl", encoding: .utf8)
    for entry in ControlOperations.all {
      let rules = [entry.name + "-request", entry.name + "-item", entry.name + "-answer"]
      let isOfModules = ["activate", "deactivate", "restart", "reset", "select-ui"].contains(entry.name)
      let isBare = ["metrics", "shutdown"].contains(entry.name)
      #expect(isOfModules || isBare || rules.contains { text.contains("\n\($0) = ") }, "\(entry.name)")
    }
  }
}
