import ForsettiModuleKit

/// One thing that module code may do, tried behind the lock.
struct Probe: Sendable {
  var name: String
  var run: @MainActor @Sendable (ForsettiContext) async throws -> Void
}

let probes: [Probe] = [
  Probe(name: "Nothing") { _ in },
  Probe(name: "Throws") { _ in throw Mismatch("it does not want to") },
  Probe(name: "Actors") { _ in
    let counter = Counter()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 { group.addTask { await counter.next() } }
      var seen: Set<Int> = []
      for try await number in group { seen.insert(number) }
      try expect(seen, Set(1...100), "numbers of an actor")
    }
    let hops = await Task.detached { () -> Int in
      for _ in 0..<1000 { await Tally.shared.add(await counter.next()) }
      return await Tally.shared.count
    }.value
    try expect(hops, 1000, "hops to the main actor")
  },
  Probe(name: "Isolation") { _ in
    MainActor.assertIsolated()
    let counter = Counter()
    await counter.check()
  },
  Probe(name: "FalseIsolation") { _ in
    // A job of no actor is not the main actor's, one thread or not.
    await Task.detached { MainActor.preconditionIsolated() }.value
  },
  Probe(name: "Order") { _ in
    let order = await withTaskGroup(of: Int.self) { group in
      for (place, milliseconds) in [30, 10, 20, 10, 0].enumerated() {
        group.addTask {
          try? await Task.sleep(for: .milliseconds(milliseconds))
          return place
        }
      }
      var order: [Int] = []
      for await place in group { order.append(place) }
      return order
    }
    try expect(order, [4, 1, 3, 2, 0], "order of waking")
  },
  Probe(name: "SleepsAreLongEnough") { _ in
    for milliseconds in [1, 7] {
      let continuous = try await ContinuousClock().measure {
        try await Task.sleep(for: .milliseconds(milliseconds))
      }
      try expect(
        continuous >= .milliseconds(milliseconds), true, "a sleep of \(milliseconds) ms took \(continuous)")
      let suspending = try await SuspendingClock().measure {
        try await Task.sleep(for: .milliseconds(milliseconds), clock: .suspending)
      }
      try expect(
        suspending >= .milliseconds(milliseconds), true, "a sleep of \(milliseconds) ms took \(suspending)")
    }
  },
  Probe(name: "AbsurdSleeps") { _ in
    let far = Duration.seconds(Int64.max) * 18
    let sleepers = [
      Task { try await Task.sleep(for: far) },
      Task { try await Task.sleep(for: far, clock: .suspending) },
      Task { try await Task.sleep(nanoseconds: .max) },
      Task { try await Task.sleep(until: .now.advanced(by: far), clock: .continuous) },
      Task { try await Task.sleep(for: .nanoseconds(Int64.max)) },
    ]
    for past in [Duration.seconds(Int64.min) * 18, .seconds(-1), .zero, .nanoseconds(Int64.min)] {
      try await Task.sleep(for: past)
      try await Task.sleep(for: past, clock: .suspending)
    }
    try await Task.sleep(for: .milliseconds(1))
    for sleeper in sleepers {
      sleeper.cancel()
      do {
        try await sleeper.value
        throw Mismatch("a sleep of ages ended")
      } catch is CancellationError {}
    }
  },
  Probe(name: "OwnClock") { _ in
    let clock = HalfSpeedClock()
    let took = try await ContinuousClock().measure {
      try await clock.sleep(until: clock.now.advanced(by: HalfSpeedClock.Ticks(count: 5)), tolerance: nil)
    }
    try expect(took >= .milliseconds(10), true, "five ticks took \(took)")
  },
  Probe(name: "ManyTimers") { _ in
    let woken = await withTaskGroup(of: Void.self) { group in
      for number in 0..<5000 {
        group.addTask { try? await Task.sleep(for: .microseconds(number * 7919 % 5000)) }
      }
      var woken = 0
      for await _ in group { woken += 1 }
      return woken
    }
    try expect(woken, 5000, "timers that woke")
  },
  Probe(name: "Memory") { _ in
    var bytes: [UInt8] = []
    for _ in 0..<20 { bytes += [UInt8](repeating: 1, count: 1 << 20) }
    try expect(bytes.count, 20 << 20, "bytes of a grown array")
    try expect(Set((0..<50).map { _ in UInt64.random(in: 0 ... .max) }).count, 50, "random numbers")
  },
  Probe(name: "NeverIdle") { _ in
    // Jobs that never run dry: the pipes must be served all the same.
    Task { while !Task.isCancelled { await Task.yield() } }
  },
  Probe(name: "Busy") { _ in
    // One job that never ends: nothing of the executor turns any more. A timer's job comes after the turn that says
    // `started`.
    Task {
      try await Task.sleep(for: .milliseconds(1))
      while !Task.isCancelled {}
    }
  },
  Probe(name: "TakesMemoryAtOnce") { _ in
    let bytes = [UInt8](repeating: 1, count: 8 << 30)
    try expect(bytes.count, 0, "bytes that nobody has")
  },
  Probe(name: "TakesMemory") { _ in
    var all: [[UInt8]] = []
    while true { all.append([UInt8](repeating: UInt8(truncatingIfNeeded: all.count), count: 1 << 20)) }
  },
  Probe(name: "Printing") { _ in print("a line on stdout") },
  Probe(name: "LogFlood") { context in
    // No suspension anywhere in it, and nobody reads meanwhile.
    for number in 0..<20_000 { context.logger.info("record \(number)") }
  },
  Probe(name: "LongRecord") { context in
    context.logger.info(
      String(repeating: "å", count: 10_000),
      metadata: Dictionary(
        uniqueKeysWithValues: (10..<100).map { ("key \($0)", String(repeating: "ö", count: 3000)) }))
    context.logger.error(
      "it failed", error: Mismatch("because"), metadata: ["errorType": "forged", "a": "b"])
  },
  Probe(name: "EventFlood") { context in
    let text = String(repeating: "x", count: 1000)
    for number in 0..<20_000 {
      try await context.publishEvent(type: "com.example.probe.event", payload: ["n": "\(number)", "x": text])
    }
  },
  Probe(name: "RefusedEvents") { context in
    let cases: [(type: String, payload: [String: String], error: ForsettiContextError?)] = [
      (" \u{2003}", [:], .blankEventType),
      ("forsetti.internal.x", [:], .reservedEventType("forsetti.internal.x")),
      (" FORSETTI.x", [:], .reservedEventType(" FORSETTI.x")),
      ("forsettix.y", [:], nil),
      ("a", ["_Forsetti.targetModuleID": "b"], .reservedPayloadKey("_Forsetti.targetModuleID")),
    ]
    for entry in cases {
      let error = await refusal { () async throws(ForsettiContextError) in
        try await context.publishEvent(type: entry.type, payload: entry.payload)
      }
      try expect(error, entry.error, "publishing \(entry.type)")
    }
    let long = await refusal { () async throws(ForsettiContextError) in
      try await context.publishEvent(type: "a", payload: ["x": String(repeating: "y", count: 2 << 20)])
    }
    guard case .unsendableEvent("a", _) = long else {
      throw Mismatch("two megabytes in one frame: \(String(describing: long))")
    }
  },
]

@MainActor
private func refusal(
  _ body: () async throws(ForsettiContextError) -> Void
) async -> ForsettiContextError? {
  do throws(ForsettiContextError) { try await body() } catch { return error }
  return nil
}

actor Counter {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }

  func check() { assertIsolated() }
}

@MainActor
final class Tally {
  static let shared = Tally()
  private(set) var count = 0

  func add(_ number: Int) { count += 1 }
}

/// A clock of a module's own, with instants that are no `Duration`.
struct HalfSpeedClock: Clock {
  struct Ticks: DurationProtocol, Hashable {
    var count: Int

    static let zero = Ticks(count: 0)
    static func + (one: Ticks, other: Ticks) -> Ticks { Ticks(count: one.count + other.count) }
    static func - (one: Ticks, other: Ticks) -> Ticks { Ticks(count: one.count - other.count) }
    static func * (one: Ticks, factor: Int) -> Ticks { Ticks(count: one.count * factor) }
    static func / (one: Ticks, divisor: Int) -> Ticks { Ticks(count: one.count / divisor) }
    static func / (one: Ticks, other: Ticks) -> Double { Double(one.count) / Double(other.count) }
    static func < (one: Ticks, other: Ticks) -> Bool { one.count < other.count }
  }

  struct Instant: InstantProtocol {
    var ticks: Ticks

    func advanced(by duration: Ticks) -> Instant { Instant(ticks: ticks + duration) }
    func duration(to other: Instant) -> Ticks { other.ticks - ticks }
    static func < (one: Instant, other: Instant) -> Bool { one.ticks < other.ticks }
  }

  private let epoch = ContinuousClock.now

  var minimumResolution: Ticks { Ticks(count: 1) }
  var now: Instant {
    Instant(ticks: Ticks(count: Int((ContinuousClock.now - epoch) / Swift.Duration.milliseconds(2))))
  }

  func sleep(until deadline: Instant, tolerance: Ticks?) async throws {
    try await Task.sleep(for: .milliseconds(2 * now.duration(to: deadline).count))
  }
}
