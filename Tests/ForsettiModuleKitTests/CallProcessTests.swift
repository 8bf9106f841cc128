import ForsettiCore
import ForsettiIPC
import ForsettiModuleKit
import Glibc
import Testing

private let probeHost = "forsetti-kit-probe"

/// Calls that module code makes, answered line by line: real processes, the real lock, real pipes.
@Suite(.serialized) struct CallProcessTests {
  private let crypto = CryptoUtilitiesMethods.sha256

  /// Starts a probe whose start makes calls.
  private func begin(_ name: String, _ grants: [Capability]) throws -> ScriptedSupervisor {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp(name)
    try supervisor.send(.start(StartMessage(grants: grants)))
    return supervisor
  }

  private func finish(_ supervisor: ScriptedSupervisor, _ records: [String] = []) throws {
    #expect(try supervisor.receive { $0.isEndOfStart } == records.map { .info($0) } + [.started])
    #expect(try supervisor.stop() == [.info("stopped")])
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.stopped.rawValue))
    #expect(supervisor.servedCalls == [])
  }

  @Test("a service's methods are calls with their arguments, and answers are their values") func storage()
    throws
  {
    let supervisor = try begin("Storage", [.storage])
    let set = try supervisor.receiveTraffic()
    #expect(try set.request(StorageMethods.set) == StoreEntry(store: nil, key: "k", value: "v"))
    #expect(set.header.timeoutMilliseconds == 30_000)
    #expect(try set.call.source == nil)
    try supervisor.send { try $0.appendReply(Nothing(), callID: set.callID) }
    for (key, store, value) in [("k", "notes" as String?, "v" as String?), ("none", nil, nil)] {
      let call = try supervisor.receiveTraffic()
      #expect(try call.request(StorageMethods.value) == StoreKey(store: store, key: key))
      try supervisor.send { try $0.appendReply(value, callID: call.callID) }
    }
    let remove = try supervisor.receiveTraffic()
    #expect(try remove.request(StorageMethods.removeValue) == StoreKey(store: nil, key: "k"))
    try supervisor.send { try $0.appendReply(Nothing(), callID: remove.callID) }
    let keys = try supervisor.receiveTraffic()
    #expect(
      try keys.request(StorageMethods.keys) == StoreListing(store: nil, prefix: "a", cursor: "ab"))
    try supervisor.send { try $0.appendReply(["abc", "ad"], callID: keys.callID) }
    try finish(supervisor)
  }

  @Test("a service that was not granted, or is none, is nil and one warning") func ungranted() throws {
    let supervisor = try begin("Ungranted", [.storage])
    let messages = try supervisor.receive { $0.isEndOfStart }
    let warnings = messages.compactMap { message -> LogMessage? in
      guard case .log(let record) = message, record.level == .warning else { return nil }
      return record
    }
    #expect(messages.count == 3)
    #expect(warnings.map { $0.metadata["service"] } == ["NetworkingService", "Int"])
    #expect(warnings.first?.message.contains("networking is not granted") == true)
    #expect(messages.last == .started)
  }

  @Test("every error arrives as the case it was") func failures() throws {
    let supervisor = try begin("Failures", [.cryptoUtilities])
    for error in everyServiceError {
      let call = try supervisor.receiveTraffic()
      #expect(try call.request(crypto) == Bytes([1]))
      try supervisor.send { try $0.appendFailure(error, callID: call.callID) }
    }
    try finish(supervisor)
  }

  @Test("a call with no trace around it names none: the supervisor begins one") func traces() throws {
    let supervisor = try begin("Trace", [.cryptoUtilities])
    for _ in 0..<2 {
      let call = try supervisor.receiveTraffic()
      #expect(try call.call.trace == nil)
      try supervisor.send { try $0.appendReply(Bytes([]), callID: call.callID) }
    }
    try finish(supervisor)
  }

  @Test("a call that nobody answers ends at its deadline, and what comes later is dropped") func timeout()
    throws
  {
    let supervisor = try begin("TimesOut", [.cryptoUtilities])
    let first = try supervisor.receiveTraffic()
    #expect(first.header.timeoutMilliseconds == 20)
    let cancel = try supervisor.receiveTraffic()
    #expect(cancel.header.kind == .cancel)
    #expect(cancel.callID == first.callID)
    let second = try supervisor.receiveTraffic()
    #expect(second.callID != first.callID)
    try supervisor.send {
      try $0.appendReply(Bytes([1]), callID: first.callID)
      try $0.appendReply(Bytes([2]), callID: second.callID)
    }
    try finish(supervisor)
  }

  @Test("a cancelled task takes its call back, once") func cancellation() throws {
    let supervisor = try begin("TakenBack", [.cryptoUtilities])
    let first = try supervisor.receiveTraffic()
    let cancel = try supervisor.receiveTraffic()
    #expect(cancel.header.kind == .cancel)
    #expect(cancel.callID == first.callID)
    let last = try supervisor.receiveTraffic()
    // The one that was cancelled before it began never came.
    #expect(try last.request(crypto) == Bytes([2]))
    try supervisor.send {
      try $0.appendFailure(.cancelled, callID: first.callID)
      try $0.appendReply(Bytes([1]), callID: first.callID)
      try $0.appendReply(Bytes([2]), callID: last.callID)
    }
    try finish(supervisor)
  }

  @Test("an open call does not keep a module from stopping") func stop() throws {
    let supervisor = try begin("LeftOpen", [.cryptoUtilities])
    #expect(try supervisor.receive() == .started)
    let call = try supervisor.receiveTraffic()
    #expect(try call.request(crypto) == Bytes([1]))
    #expect(try supervisor.stop() == [.info("stopped")])
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.stopped.rawValue))
  }

  @Test("ten thousand calls at once wait for room, and each gets its own answer") func manyCalls() throws {
    let supervisor = try begin("ManyCalls", [.cryptoUtilities])
    try supervisor.waitUntilAsleep()
    var seen: Set<UInt64> = []
    var open: [(UInt64, UInt8)] = []
    for number in 1...10_000 {
      let call = try supervisor.receiveTraffic()
      let data = try call.request(crypto).bytes
      #expect(data.count == 600)
      open.append((call.callID, data.first ?? 0))
      seen.insert(call.callID)
      guard number % 500 == 0 else { continue }
      // Answered last first.
      try supervisor.send {
        for (callID, byte) in open.reversed() { try $0.appendReply(Bytes([byte]), callID: callID) }
      }
      open = []
    }
    #expect(seen.count == 10_000)
    try finish(supervisor)
  }

  @Test("a request that fits no frame fails where it was made") func tooLarge() throws {
    try finish(try begin("TooLarge", [.cryptoUtilities, .sharedDatabase]))
  }

  @Test("an answer of another type fails its call, and nothing else") func wrongAnswer() throws {
    let supervisor = try begin("WrongAnswer", [.cryptoUtilities])
    let call = try supervisor.receiveTraffic()
    try supervisor.send { try $0.appendReply("no bytes", callID: call.callID) }
    try finish(supervisor)
  }

  @Test(
    "a module that looks before it sleeps is right, and asleep once there is nothing",
    arguments: [true, false])
  func spinning(isAllowed: Bool) throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Consumer")
    try supervisor.send(.start(StartMessage(grants: [.storage], spin: isAllowed)))
    #expect(try supervisor.receive() == .started)
    for lanes in [1, 8] {
      let delivery = EventHead.Delivery(source: nil, time: 0, kind: .message)
      let payload = try ["count": "2000", "lanes": "\(lanes)", "value": "v"].encoded()
      try supervisor.send {
        try $0.appendEvent(.deliver, EventHead(type: "ping", delivery: delivery), payload: payload.span)
      }
      for _ in 0..<2000 {
        let call = try supervisor.receiveTraffic()
        #expect(try call.request(StorageMethods.set).value == "v")
        try supervisor.send { try $0.appendReply(Nothing(), callID: call.callID) }
      }
      guard case .log = try supervisor.receive() else { throw ScriptedSupervisor.Failure.ended }
      try supervisor.waitUntilAsleep()
      let used = try supervisor.cpuTime()
      for _ in 0..<100 { #expect(try supervisor.status("State")?.hasPrefix("S") == true) }
      #expect(try supervisor.cpuTime() == used)
    }
    #expect(supervisor.servedCalls == [])
  }

  @Test("an answer to no call at all is dropped") func unknownAnswer() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Nothing")
    try supervisor.start()
    try supervisor.send {
      try $0.appendReply(Nothing(), callID: .max)
      try $0.appendFailure(.cancelled, callID: 1)
    }
    #expect(try supervisor.stop() == [.info("stopped")])
  }

  @Test(
    "traffic that breaks the protocol ends the process",
    arguments: [
      // No call ID; a head where none belongs; an error of no known number; an event without a time.
      FrameHeader(kind: .reply, length: 0, headLength: 0),
      FrameHeader(kind: .reply, length: 1, headLength: 1, callID: 1),
      FrameHeader(kind: .failure, length: 1, headLength: 1, callID: 1),
      FrameHeader(kind: .deliver, length: 1, headLength: 1),
      FrameHeader(kind: .call, length: 1, headLength: 1, callID: 1),
      FrameHeader(kind: .cancel, length: 1, headLength: 1, callID: 1),
      FrameHeader(kind: .publish, length: 1, headLength: 1),
    ])
  func malformed(header: FrameHeader) throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Nothing")
    try supervisor.start()
    var bytes: [UInt8] = []
    header.encode(into: &bytes)
    try supervisor.send(bytes: bytes + [UInt8](repeating: 0xa0, count: Int(header.length)))
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.protocolViolation.rawValue))
  }

  @Test("a call before the module is started ends the process") func tooEarly() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Nothing")
    try supervisor.send { try $0.appendCall(RuntimeMethods.health, Nothing(), callID: 1) }
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.protocolViolation.rawValue))
  }
}

/// The same list as in the probe.
private let everyServiceError: [ServiceError] =
  ServiceError.Denial.allCases.map { .serviceDenied($0, detail: "why \($0.rawValue)") } + [
    .serviceUnavailable(role: "api", why: "not active"), .moduleCrashed(moduleID: "com.example.b"),
    .deadlineExceeded, .cancelled, .quotaExceeded("keys"), .rateLimited(retryAfterMilliseconds: .max),
    .invalidArgument(name: "key", reason: "ünïcode \u{1F600}"), .notFound(""), .tooLarge(limit: .max),
    .failed(code: "tls", message: "no\nluck"), .moduleCommunicationDenied(reason: "self"),
    .targetUnavailable(moduleID: "com.example.b"),
  ]

extension CallValue {
  fileprivate func encoded() throws -> [UInt8] {
    var writer = CBORWriter()
    try encode(into: &writer)
    return writer.bytes
  }
}

extension ProtocolMessage {
  /// A record of a probe.
  static func info(_ text: String) -> ProtocolMessage { .log(LogMessage(level: .info, message: text)) }

  var isEndOfStart: Bool {
    if case .startFailed = self { true } else { self == .started }
  }
}
