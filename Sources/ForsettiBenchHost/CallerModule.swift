import ForsettiBenchSet
import ForsettiModuleKit
import Glibc

/// Calls services, checks every answer, and times what it was asked to.
@MainActor
final class CallerModule: ForsettiModule {
  let manifest = BenchModule.caller.manifest
  private var task: Task<Void, Never>?

  func start(context: ForsettiContext) async throws {
    guard let crypto = context.services.cryptoUtilities, let api = context.services.api else {
      throw BenchFailure("a service is not granted")
    }
    let control = try Control(context)
    task = Task {
      await control.serve { measure, seconds in
        switch measure {
        case "call": try await Self.oneByOne(seconds, size: 64) { try await crypto.sha256($0) }
        case "paced":
          try await Self.oneByOne(seconds, size: 64, pause: .milliseconds(1)) { try await crypto.sha256($0) }
        // So many; the time is of no interest.
        case "calls": try await Self.calls(Int(seconds)) { try await crypto.sha256($0) }
        case "provider":
          try await Self.oneByOne(seconds, size: 64) {
            try await api.request(APIRequest(method: "POST", path: "/echo", body: $0)).body
          }
        case "hang": try await Self.failingCall(api)
        case "pipelined": try await Self.pipelined(seconds) { try await crypto.sha256($0) }
        case "bulk_64k": try await Self.bulk(seconds, size: 65536, parts: 1) { try await crypto.sha256($0) }
        case "bulk_1m": try await Self.bulk(seconds, size: 1 << 20, parts: 2) { try await crypto.sha256($0) }
        default: throw BenchFailure("no such measure: \(measure)")
        }
      }
    }
  }

  func stop(context: ForsettiContext) async { task?.cancel() }

  typealias Call = @MainActor ([UInt8]) async throws -> [UInt8]

  private static func calls(_ count: Int, _ call: Call) async throws -> Figure {
    var payload = BenchPayload(size: 64)
    for sequence in 0..<count {
      payload.number(UInt64(sequence))
      guard payload.accepts(try await call(payload.request)) else { throw BenchFailure("wrong payload") }
    }
    return Figure(Double(count))
  }

  /// When a call that the provider never answers fails because that has crashed, in nanoseconds of CLOCK_MONOTONIC.
  private static func failingCall(_ api: any APIService) async throws -> Figure {
    do {
      _ = try await api.request(APIRequest(method: "POST", path: BenchModule.hangingPath))
    } catch ServiceError.moduleCrashed { return Figure(Double(now())) }
    throw BenchFailure("a call was answered that never is")
  }

  /// Microseconds of a call and its answer, one at a time.
  static func oneByOne(
    _ seconds: Double, size: Int, pause: Duration? = nil, _ call: Call
  ) async throws -> Figure {
    var payload = BenchPayload(size: size)
    var samples: [Double] = []
    samples.reserveCapacity(1 << 20)
    let warm = now() + warmUp
    let end = warm + UInt64(seconds * 1e9)
    var after: UInt64 = 0
    var sequence: UInt64 = 0
    while after < end || samples.count < fewest && after < end + patience {
      sequence += 1
      payload.number(sequence)
      let before = now()
      let answer = try await call(payload.request)
      after = now()
      guard payload.accepts(answer) else { throw BenchFailure("wrong payload in answer \(sequence)") }
      if before >= warm { samples.append(Double(after - before) / 1e3) }
      if let pause { try await Task.sleep(for: pause) }
    }
    return try figure(samples, highIsBad: true)
  }

  /// Gigabytes a second, payload counted once; `parts` calls at once carry one payload.
  private static func bulk(_ seconds: Double, size: Int, parts: Int, _ call: @escaping Call) async throws
    -> Figure
  {
    var payloads = (0..<parts).map { _ in BenchPayload(size: size / parts) }
    var samples: [Double] = []
    let warm = now() + warmUp
    let end = warm + UInt64(seconds * 1e9)
    var after: UInt64 = 0
    var sequence: UInt64 = 0
    while after < end || samples.count < fewest && after < end + patience {
      for index in payloads.indices {
        sequence += 1
        payloads[index].number(sequence)
      }
      let before = now()
      let answers: [[UInt8]]
      if parts == 1 {
        answers = [try await call(payloads[0].request)]
      } else {
        answers = try await together(payloads.map(\.request), call)
      }
      after = now()
      for (payload, answer) in zip(payloads, answers) where !payload.accepts(answer) {
        throw BenchFailure("wrong payload in answer \(sequence)")
      }
      if before >= warm { samples.append(Double(size) / Double(after - before)) }
    }
    return try figure(samples, highIsBad: false)
  }

  private static func together(_ requests: [[UInt8]], _ call: @escaping Call) async throws -> [[UInt8]] {
    let tasks = requests.map { request in Task { @MainActor in try await call(request) } }
    var answers: [[UInt8]] = []
    for task in tasks { answers.append(try await task.value) }
    return answers
  }

  /// Calls a second with 64 in flight: each slot is a task of its own that calls again once it is answered.
  private static func pipelined(_ seconds: Double, _ call: @escaping Call) async throws -> Figure {
    let meter = RateMeter(warmUp: warmUp, seconds: seconds)
    let tasks = (0..<64).map { slot in
      Task { @MainActor in
        var payload = BenchPayload(size: 64)
        var sequence = UInt64(slot)
        while !meter.isOver {
          sequence += 64
          payload.number(sequence)
          let answer = try await call(payload.request)
          guard payload.accepts(answer) else { throw BenchFailure("wrong payload in answer \(sequence)") }
          meter.count()
        }
      }
    }
    for task in tasks { try await task.value }
    return try figure(meter.rates, highIsBad: false)
  }

  static let warmUp: UInt64 = 50_000_000
  /// So many samples are waited for, so much longer, on a machine that is busy.
  private static let fewest = 20
  private static let patience: UInt64 = 3_000_000_000

  private static func figure(_ samples: [Double], highIsBad: Bool) throws(BenchFailure) -> Figure {
    guard let figure = Figure(samples: samples, highIsBad: highIsBad) else {
      throw BenchFailure("nothing was measured in the time given")
    }
    return figure
  }
}

/// Counts what is done, in slices of 20 ms.
@MainActor
final class RateMeter {
  private static let slice: UInt64 = 20_000_000
  private let warm: UInt64
  private let end: UInt64
  private var done: UInt64 = 0
  private var mark: UInt64 = 0
  private var marked: UInt64
  private(set) var isOver = false
  private(set) var rates: [Double] = []

  init(warmUp: UInt64, seconds: Double) {
    marked = now()
    warm = marked + warmUp
    end = warm + UInt64(seconds * 1e9)
  }

  func count() {
    done += 1
    guard done & 31 == 0 else { return }
    let time = now()
    guard time - marked >= Self.slice else { return }
    if marked >= warm { rates.append(Double(done - mark) * 1e9 / Double(time - marked)) }
    (mark, marked) = (done, time)
    isOver = time >= end && (rates.count >= 5 || time >= end + 3_000_000_000)
  }
}

/// Nanoseconds of the monotonic clock, read without a system call.
func now() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
