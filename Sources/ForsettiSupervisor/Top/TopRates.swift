/// What happened between two looks at the supervisor: pure, from two answers.
struct TopRates: Equatable {
  /// One module.
  struct Module: Equatable {
    var moduleID: String
    var state: String
    /// A second, of calls that it made and of those to it.
    var calls = 0.0
    var failures = 0.0
    var events = 0.0
    var bytes = 0.0
    /// Microseconds that half of its calls, and all but one in a hundred, took at most; `nil` without a call that was not
    /// answered at once.
    var median: Int?
    var p99: Int?
    var memoryBytes: Int?
    /// Of one processor, 0 to 1.
    var processor: Double?
    var restarts: Int
  }

  var state: String
  var uptimeMilliseconds: Int
  var memoryBytes: Int?
  var processor: Double?
  /// The busiest first, then by ID.
  var modules: [Module]

  /// Works them out; without an earlier look there are no rates, only states.
  init(from earlier: FiguresAnswer?, to later: FiguresAnswer) {
    let (then, now) = (earlier?.supervisor, later.supervisor)
    state = now.state
    uptimeMilliseconds = now.uptimeMilliseconds
    memoryBytes = now.memoryBytes
    let seconds = Double(now.uptimeMilliseconds - (then?.uptimeMilliseconds ?? 0)) / 1000
    processor = Self.share(then?.cpuSeconds, now.cpuSeconds, seconds)
    let before = Dictionary((earlier?.modules ?? []).map { ($0.moduleID, $0) }) { $1 }
    modules = later.modules.map { Self.module(before[$0.moduleID], $0, seconds) }.sorted {
      $0.calls == $1.calls ? $0.moduleID < $1.moduleID : $0.calls > $1.calls
    }
  }

  private static func module(
    _ before: ModuleFiguresItem?, _ now: ModuleFiguresItem, _ seconds: Double
  ) -> Module {
    var module = Module(
      moduleID: now.moduleID, state: now.state, memoryBytes: now.memoryBytes, restarts: now.restarts)
    guard let before, seconds > 0 else { return module }
    // A supervisor that was started anew counts from nothing: that is no rate.
    func rate(_ count: (ModuleFiguresItem) -> Int) -> Double {
      max(0, Double(count(now) - count(before))) / seconds
    }
    module.calls = rate { $0.calls + $0.providedCalls }
    module.failures = rate(\.failedCalls)
    module.events = rate(\.events)
    module.bytes = rate(\.bytes)
    let took = zip(now.latency, before.latency).map { max(0, $0 - $1) }
    module.median = quantile(0.5, of: took)
    module.p99 = quantile(0.99, of: took)
    module.processor = share(before.cpuSeconds, now.cpuSeconds, seconds)
    return module
  }

  /// The bound of the bucket that holds the call of this rank, microseconds.
  static func quantile(_ share: Double, of buckets: [Int]) -> Int? {
    let count = buckets.reduce(0, +)
    guard count > 0 else { return nil }
    let rank = max(1, Int((Double(count) * share).rounded(.up)))
    var sum = 0
    for (index, calls) in buckets.enumerated() {
      sum += calls
      if sum >= rank { return 1 << min(index, 62) }
    }
    return nil
  }

  /// A process that is another one now has used less than its predecessor had: nothing is known of it yet.
  private static func share(_ before: Double?, _ now: Double?, _ seconds: Double) -> Double? {
    guard let before, let now, seconds > 0, now >= before else { return nil }
    return (now - before) / seconds
  }
}
