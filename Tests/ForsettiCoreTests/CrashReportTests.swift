import Foundation
import Testing

@testable import ForsettiCore

@Suite("Crash reports as values and as JSON") struct CrashReportTests {
  private static let violation = Violation(
    syscall: "openat", number: 257, arguments: [UInt64.max, 1, 0, 0, 0, 0x8000_0000_0000_0000],
    decoded: ["dirfd=AT_FDCWD"], path: "/etc/passwd", instructionPointer: 0xffff_ffff_0000_0001)

  private static let reasons: [ExitReason] = [
    .stopped, .crashed(signal: 11), .aborted, .exitedEarly(code: -3), .violation(violation),
    .protocolError("sent what it should not"), .timedOut(.describe),
    .sandboxFailed(step: .landlock, errno: 38),
    .stopForced(signal: 9), .heartbeatLost(milliseconds: 5_000), .outOfMemory, .cpuLimit, .fileSizeLimit,
    .killed(signal: 15), .supervisorShutdown,
  ]

  private static let evidence = CrashEvidence(
    lifetimeMilliseconds: 1_234, message: "Fatal error: \u{202E}on purpose\n",
    fault: CrashFault(signal: 11, code: 1, address: 8),
    backtrace: [
      CrashFrame(address: .max),
      CrashFrame(
        address: 0x40_1000, file: "/usr/bin/host", offset: 0x1000, function: "main.crash() -> ()",
        functionOffset: 0x1c),
    ],
    log: [
      CrashLogLine(atMilliseconds: 0, level: nil, text: "\u{1B}[31mred \"quoted\" \\ text"),
      CrashLogLine(atMilliseconds: 7, level: .warning, text: ""),
    ],
    frameHeads: [
      CrashFrameHead(kind: "call", callID: .max, length: 20, method: "storage.set"),
      CrashFrameHead(kind: "pong", callID: 0, length: 0),
    ],
    usage: CrashUsage(
      userMicroseconds: 1, systemMicroseconds: 2, peakMemoryKiB: 3, majorFaults: 4, minorFaults: 5,
      voluntarySwitches: 6, involuntarySwitches: 7),
    servedCalls: ["getpid": 2, "writev": 1], delayedCalls: 9, missing: ["a thing"])

  private static func report(
    _ reason: ExitReason = .aborted, next: CrashSequel = .staysDown(.restartPolicy),
    evidence: CrashEvidence = evidence, status: ProcessStatus = .signalled(6)
  ) -> CrashReport {
    CrashReport(
      id: CrashReportID(endedAt: 1_796_024_712_123, random: 0xbeef),
      module: CrashedModule(
        moduleID: "com.example.a", displayName: "A", version: "1.0.0", type: .service, origin: "built-in",
        entryPoint: "A", manifestSHA256: "00", capabilitiesRequested: [.storage, .api]),
      grants: [.storage], endedAt: 1_796_024_712_123, uptimeMilliseconds: 1_000,
      exit: ModuleExit(status: status, reason: reason), evidence: evidence, ends: [1, 2], next: next,
      wayOut: nil)
  }

  private static func readBack(_ report: CrashReport) throws -> CrashReport {
    try CrashReport(JSONWriter.bytes(report.jsonValue))
  }

  @Test("every reason of the taxonomy comes back from JSON as it was", arguments: reasons)
  func roundTrip(reason: ExitReason) throws {
    let report = Self.report(reason)
    #expect(try Self.readBack(report) == report)
  }

  @Test("the file that the schema is held to is read, and written the same") func schemaSample() throws {
    let file = "Tests/Python/crash-report.json"
    let report = try CrashReport(ShippedFiles.bytes(file))
    let written = try JSONSerialization.jsonObject(with: Data(JSONWriter.bytes(report.jsonValue)))
    #expect(try ShippedFiles.object(file) as NSDictionary == written as? NSDictionary)
  }

  @Test("the schema names every reason, layer and phase that there is") func schemaNames() throws {
    let schema = try JSONParser.parse(ShippedFiles.bytes("Resources/Schemas/crash-report.schema.json")).root
    let reason = schema["properties"]?["exit"]?["properties"]?["reason"]?["properties"]
    func names(_ key: String) -> [String] { reason?[key]?["enum"]?.elements?.compactMap(\.stringValue) ?? [] }
    #expect(names("kind") == ExitKind.allCases.map(\.rawValue))
    #expect(names("step") == SandboxLayer.allCases.map(\.rawValue))
    #expect(names("phase") == ModulePhase.allCases.map(\.rawValue))
  }

  @Test("the reasons above are all there are") func complete() {
    #expect(Set(Self.reasons.map(\.kind)) == Set(ExitKind.allCases))
  }

  @Test(
    "everything that can follow comes back from JSON as it was, with a command that names the module",
    arguments: [
      CrashSequel.restart(afterMilliseconds: 50, attempt: 2), .quarantine(.violation),
      .quarantine(.protocolError),
      .quarantine(.sandboxFailed), .quarantine(.tooManyRestarts(count: 6, withinMilliseconds: 60_000)),
    ] + CrashSequel.StayDownCause.allCases.map(CrashSequel.staysDown))
  func sequels(next: CrashSequel) throws {
    #expect(try Self.readBack(Self.report(next: next)) == Self.report(next: next))
    #expect(next.command(for: "com.example.a").hasSuffix(" com.example.a"))
  }

  @Test("a report of which nothing is known comes back too") func bare() throws {
    let report = Self.report(evidence: CrashEvidence(), status: .exited(code: 3))
    #expect(try Self.readBack(report) == report)
  }

  @Test("the runtime's message is the last words; without one it is the first frame's function")
  func lastWords() {
    var evidence = Self.evidence
    #expect(Self.report(evidence: evidence).lastWords == evidence.message)
    evidence.message = nil
    evidence.backtrace.removeFirst()
    #expect(Self.report(evidence: evidence).lastWords == "in main.crash() -> ()")
    #expect(Self.report(evidence: CrashEvidence()).lastWords == nil)
  }

  @Test("IDs sort by time, and what is none is none: no path gets through") func ids() throws {
    let id = CrashReportID(endedAt: 1_796_024_712_123, random: 0xbeef)
    #expect(id.text == "20261130T074512123Z-0000beef")
    #expect(CrashReportID(id.text) == id)
    #expect(id < CrashReportID(endedAt: 1_796_024_712_124, random: 0))
    for text in [
      "", "latest", "../20261130T074512123Z-0000beef", id.text + ".json", "20261130T074512123Z-0000BEEF",
    ] {
      #expect(CrashReportID(text) == nil)
    }
  }

  @Test("damaged bytes are a fault with its place, and trap nothing") func damaged() throws {
    let whole = JSONWriter.bytes(Self.report(.violation(Self.violation)).jsonValue)
    for end in stride(from: 0, to: whole.count, by: 7) {
      #expect(throws: JSONFault.self) { try CrashReport(Array(whole[..<end])) }
    }
    let text = String(decoding: whole, as: UTF8.self)
    let changes = [
      (#""schemaVersion":"1.0""#, #""schemaVersion":"2.0""#, "/schemaVersion"),
      (#""kind":"violation""#, #""kind":"violatoin""#, "/exit/reason/kind"),
      (#""number":257"#, #""number":99999999999"#, "/exit/reason/violation/number"),
      ("\"0xffffffffffffffff\"", "\"0x1ffffffffffffffff\"", "/exit/reason/violation/arguments/0"),
      (#""delayedCalls":9"#, #""delayedCalls":-1"#, "/evidence/delayedCalls"),
      (#""getpid":2"#, #""getpid":"x""#, "/evidence/servedCalls/getpid"),
      (#""length":20"#, #""length":4294967296"#, "/evidence/frameHeads/0/length"),
    ]
    for (right, wrong, pointer) in changes {
      #expect(text.contains(right), "\(right)")
      let fault = #expect(throws: JSONFault.self) {
        try CrashReport(Array(text.replacing(right, with: wrong, maxReplacements: 1).utf8))
      }
      #expect(fault?.pointer == pointer)
    }
  }

  @Test(
    "the last message of the runtime is found, other lines are none",
    arguments: [
      (
        ["x", "Swift/Array.swift:3: Fatal error: Index out of range", "y"],
        "Swift/Array.swift:3: Fatal error: Index out of range"
      ),
      (["Fatal error: first", "Could not cast value of type 'Int'"], "Could not cast value of type 'Int'"),
      (["double free or corruption (!prev)"], "double free or corruption (!prev)"),
      (["nothing fatal here"], nil), ([], nil),
    ] as [([String], String?)])
  func messages(lines: [String], message: String?) {
    #expect(RuntimeMessage.last(in: lines) == message)
  }
}
