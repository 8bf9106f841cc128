import ForsettiCore
import ForsettiIPC
import ForsettiRuntime
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiSupervisor

/// What a client may hold of the supervisor: bounds as in docs/control.md, tried with small ones.
@Suite("Bounds of the control socket", .timeLimit(.minutes(1)))
struct ControlBoundsTests {
  private static let all = EventsRequest("*").control

  private static func harness(
    _ change: (inout ControlServer.Limits) -> Void = { _ in }
  ) async throws -> ControlHarness {
    var limits = ControlServer.Limits()
    change(&limits)
    return try await ControlHarness(limits)
  }

  private static func manifest(_ name: String) -> ModuleManifest {
    ModuleManifest(
      schemaVersion: "1.0", moduleID: "com.example.\(name)", displayName: name,
      moduleVersion: SemVer(major: 1, minor: 0, patch: 0), moduleType: .service, supportedPlatforms: [.linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: [], entryPoint: name)
  }

  /// A client that has asked for all events, and whose asking has been heard: a later call is answered already.
  private static func follower(_ harness: ControlHarness) async throws -> RawClient {
    let client = try RawClient(harness.folder)
    try client.greet()
    try client.call("events", all, id: 2)
    try client.call("surface", .map([]), id: 3)
    let answer = try client.next()
    #expect(answer?.callID == 3)
    return client
  }

  @Test(
    "a reader that is slow loses events, is told how many, and holds up neither the others nor the supervisor"
  )
  func slowReader() async throws {
    let harness = try await Self.harness()
    let slow = try await Self.follower(harness)
    await harness.publish(100_000, "com.example.flood")
    // Somebody else is answered meanwhile.
    let other = try await Self.follower(harness)
    other.close()
    // What was let wait comes first, then how many were lost, though nothing else happens.
    var read = 0
    var lost: UInt64 = 0
    while lost == 0 {
      guard let (message, id) = try slow.next() else {
        Issue.record("the connection has ended")
        return
      }
      #expect(id == 2)
      switch message {
      case .item: read += 1
      case .dropped(let count): lost = count
      default: Issue.record("\(message.kind)")
      }
    }
    #expect(lost > 50_000 && UInt64(read) + lost == 100_000)
    await harness.publish(1, "com.example.next")
    guard case .item? = try slow.next()?.message else {
      Issue.record("the next event has not come")
      return
    }
    await harness.close()
  }

  @Test("a slow reader of many small items is answered all the same, once it reads")
  func slowReaderAsks() async throws {
    let harness = try await Self.harness()
    let slow = try await Self.follower(harness)
    // In many turns: what the kernel's own buffer takes is more than waits here.
    for _ in 0..<100 { await harness.publish(1_000, "com.example.flood") }
    try slow.call("surface", .map([]), id: 4)
    // The supervisor has heard it: what came later is answered.
    let later = try RawClient(harness.folder)
    try later.greet()
    var answer: ControlMessage?
    while answer?.kind != .reply, let (message, id) = try slow.next() {
      answer = id == 4 ? message : nil
    }
    #expect(answer?.kind == .reply)
    await harness.close()
  }

  @Test("whoever asks thousands of things before it reads is answered each")
  func asksWithoutReading() async throws {
    let harness = try await Self.harness()
    let client = try RawClient(harness.folder)
    try client.greet()
    var queue = OutboundQueue()
    let ids = UInt64(2)...4_000
    for id in ids {
      try ControlMessage.call(operation: "surface", .map([]), timeoutMilliseconds: 0).encode(
        into: &queue, callID: id)
    }
    client.send(queue.withPendingBytes { Array($0) })
    var answered: Set<UInt64> = []
    while answered.count < ids.count, let (_, id) = try client.next() { answered.insert(id) }
    #expect(answered == Set(ids))
    await harness.close()
  }

  @Test("lists that a slow reader asked for at once come whole")
  func slowReaderOfLists() async throws {
    let harness = try await ControlHarness(manifests: (0..<1_000).map { Self.manifest("m\($0)") })
    await harness.discover()
    let client = try RawClient(harness.folder)
    try client.greet()
    let ids = UInt64(2)...9
    for id in ids { try client.call("overview", .map([]), id: id) }
    var rows: [UInt64: Int] = [:]
    var ends = 0
    while ends < ids.count, let (message, id) = try client.next() {
      switch message {
      case .item: rows[id, default: 0] += 1
      default:
        #expect(message.kind == .reply, "\(message)")
        ends += 1
      }
    }
    #expect(rows.count == ids.count && rows.values.allSatisfy { $0 == 1_000 }, "\(rows)")
    await harness.close()
  }

  @Test("a client that reads nothing for a while is let go, with what waits for it")
  func stalled() async throws {
    let harness = try await Self.harness { $0.stalled = .milliseconds(50) }
    let client = try await Self.follower(harness)
    // In many turns: what one turn leaves waiting is less than the kernel's own buffer takes.
    while await harness.server.count > 0, !Task.isCancelled {
      await harness.publish(1_000, "com.example.flood")
    }
    client.close()
    await harness.close()
  }

  @Test("a client that does not say hello is let go")
  func mute() async throws {
    let harness = try await Self.harness { $0.greeting = .milliseconds(100) }
    let mute = try RawClient(harness.folder)
    #expect(try mute.next() == nil)
    await harness.close()
  }

  @Test("a client that asks nothing more is let go, and one that follows something is not")
  func idle() async throws {
    let harness = try await Self.harness { $0.idle = .seconds(1) }
    let follower = try await Self.follower(harness)
    let idle = try RawClient(harness.folder)
    try idle.greet()
    #expect(try idle.next() == nil)
    await harness.publish(1, "com.example.x")
    #expect(try follower.next()?.callID == 2)
    await harness.close()
  }

  @Test("connections and calls beyond the bound are answered busy, and those before them go on")
  func busy() async throws {
    let harness = try await Self.harness {
      $0.connectionsPerUser = 2
      $0.callsPerConnection = 1
    }
    let first = try await Self.withOneCall(harness)
    let second = try RawClient(harness.folder)
    try second.greet()
    let third = try RawClient(harness.folder)
    #expect(try third.failure()?.code == .busy)
    #expect(try third.next() == nil)
    try first.call("surface", .map([]), id: 3)
    #expect(try first.failure()?.code == .busy)
    await harness.publish(1, "com.example.x")
    #expect(try first.next()?.callID == 2)
    second.close()
    while await harness.server.count > 1, !Task.isCancelled { await Task.yield() }
    let fourth = try RawClient(harness.folder)
    try fourth.greet()
    await harness.close()
  }

  /// A client whose only call is that of events; the server has it once it has answered the hello that came after.
  private static func withOneCall(_ harness: ControlHarness) async throws -> RawClient {
    let client = try RawClient(harness.folder)
    try client.greet()
    try client.call("events", all, id: 2)
    let later = try RawClient(harness.folder)
    try later.greet()
    later.close()
    while await harness.server.count > 1, !Task.isCancelled { await Task.yield() }
    return client
  }

  @Test(
    "a call that has a deadline ends with it, and the connection goes on; one that is taken back is answered too"
  )
  func deadline() async throws {
    let harness = try await Self.harness()
    let client = try RawClient(harness.folder)
    try client.greet()
    try client.call("events", Self.all, id: 2, timeout: 20)
    #expect(try client.failure()?.code == .deadlineExceeded)
    try client.call("events", Self.all, id: 3)
    var queue = OutboundQueue()
    try ControlMessage.cancel.encode(into: &queue, callID: 3)
    client.send(queue.withPendingBytes { Array($0) })
    let end = try client.next()
    #expect(end?.callID == 3 && end?.message.kind == .reply)
    await harness.publish(1, "com.example.x")
    try client.call("surface", .map([]), id: 4)
    #expect(try client.next()?.callID == 4)
    await harness.close()
  }

  @Test(
    "a call that was answered for want of time counts until its work has ended, on another connection too")
  func leftBehind() async throws {
    let gate = Log<Bool>()
    var limits = ControlServer.Limits()
    (limits.connectionsPerUser, limits.callsPerConnection) = (2, 1)
    var manifest = Self.manifest("sold")
    manifest.iapProductID = "com.example.product"
    let harness = try await ControlHarness(
      limits, manifests: [manifest], entitlements: GatedEntitlements(gate: gate))
    await harness.discover()
    for _ in 0..<2 {
      let client = try RawClient(harness.folder)
      try client.greet()
      try client.call("entitlements", .map([]), id: 2, timeout: 1)
      #expect(try client.failure()?.code == .deadlineExceeded)
      try client.call("surface", .map([]), id: 3)
      #expect(try client.failure()?.code == .busy)
      client.close()
      while await harness.server.count > 0, !Task.isCancelled { await Task.yield() }
    }
    let client = try RawClient(harness.folder)
    try client.greet()
    try client.call("surface", .map([]), id: 2)
    #expect(try client.failure()?.code == .busy)
    await gate.add(true)
    var answer: ControlMessage?
    repeat {
      try client.call("surface", .map([]), id: 3)
      answer = try client.next()?.message
    } while answer?.kind == .failure && !Task.isCancelled
    #expect(answer?.kind == .reply)
    await harness.close()
  }

  @Test("nothing more is sent of a call that was answered for want of time, nor for one that has its ID now")
  func lateItems() async throws {
    let gate = Log<Bool>()
    var limits = ControlServer.Limits()
    limits.callsPerConnection = 1
    var manifest = Self.manifest("sold")
    manifest.iapProductID = "com.example.product"
    let harness = try await ControlHarness(
      limits, manifests: [manifest], entitlements: GatedEntitlements(gate: gate))
    await harness.discover()
    let client = try RawClient(harness.folder)
    try client.greet()
    try client.call("entitlements", .map([]), id: 2, timeout: 1)
    #expect(try client.failure()?.code == .deadlineExceeded)
    await gate.add(true)
    // Busy until the work has ended; the call that is let in then has the number of the one before.
    var kinds: [FrameKind] = []
    repeat {
      try client.call("surface", .map([]), id: 2)
      while let message = try client.next()?.message {
        kinds.append(message.kind)
        if message.kind != .deliver { break }
      }
    } while kinds.last == .failure && !Task.isCancelled
    #expect(kinds.last == .reply && !kinds.contains(.deliver))
    await harness.close()
  }

  @Test("what an operation can't understand is a typed answer", arguments: ["*.x", "a..b", ""])
  func wrong(pattern: String) async throws {
    let harness = try await Self.harness()
    let client = try RawClient(harness.folder)
    try client.greet()
    try client.call("events", EventsRequest(pattern).control, id: 2)
    #expect(try client.failure()?.code == .invalidRequest)
    try client.call("nothing-like-it", .map([]), id: 3)
    #expect(try client.failure()?.code == .unknownOperation)
    // Before a boot there is no module to ask.
    try client.call("entitlements", .map([]), id: 4)
    let failure = try client.failure()
    #expect(
      failure?.code == .failed && failure?.status == ForsettiSupervisor.ExitStatus.temporaryFailure.rawValue)
    await harness.close()
  }
}

/// Says nothing before the gate is open, not even to whoever waits no more.
struct GatedEntitlements: EntitlementProvider {
  let gate: Log<Bool>

  func isUnlocked(moduleID: String, productID: String?) async -> Bool {
    // In a task of its own, which nobody cancels.
    await Task { _ = await gate.wait(count: 1) }.value
    return true
  }

  func refreshEntitlements() async {}
  func entitlementsDidChangeStream() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}
