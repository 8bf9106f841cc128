import ForsettiBenchSet

/// Where a number comes from.
enum Source: Hashable {
  /// A measure of the program `floors`.
  case floor(String)
  /// The same under the filter of a module without direct grants.
  case filtered(String)
  /// A command to a worker: a supervisor with these modules.
  case ours(Crew, String)
  /// A measure of the kit of peers, where that is built.
  case peer(program: String, peer: String, measure: String)
}

/// What runs in a worker.
struct Crew: Hashable {
  var spins = false
  var rests = false
  var idle = 0
  var subscribers = 0

  /// The worker's arguments.
  var arguments: [String] {
    ["spins=\(spins ? 1 : 0)", "rests=\(rests ? 1 : 0)", "idle=\(idle)", "subscribers=\(subscribers)"]
  }

  init(spins: Bool = false, rests: Bool = false, idle: Int = 0, subscribers: Int = 0) {
    (self.spins, self.rests, self.idle, self.subscribers) = (spins, rests, idle, subscribers)
  }

  /// Reads what `arguments` wrote.
  init(arguments: [String]) throws(BenchFailure) {
    for argument in arguments {
      let parts = argument.split(separator: "=")
      guard parts.count == 2, let value = Int(parts[1]) else {
        throw BenchFailure("not of a crew: \(argument)")
      }
      switch parts[0] {
      case "spins": spins = value == 1
      case "rests": rests = value == 1
      case "idle": idle = value
      case "subscribers": subscribers = value
      default: throw BenchFailure("not of a crew: \(argument)")
      }
    }
  }
}

/// One row of numbers.
struct Series {
  var name: String
  var source: Source
  /// Whether it is worth running more than once.
  var isRepeated = true
}

/// A bar that a ratio, or a number alone, is held to.
struct Verdict {
  enum Bar {
    case atMost(Double)
    case atLeast(Double)
  }

  var title: String
  /// Names of series: the first over the second, or the first alone.
  var over: (String, String?)
  var bar: Bar
  var reach: Double
  /// Subtracted and divided before the bar is looked at, for what is per module: (a − b) ÷ divisor.
  var perUnit: Double?

  func value(_ medians: [String: Double]) -> Double? {
    guard let first = medians[over.0] else { return nil }
    guard let name = over.1 else { return first }
    guard let second = medians[name] else { return nil }
    if let perUnit { return (first - second) / perUnit }
    return second > 0 ? first / second : nil
  }

  func isMet(_ value: Double) -> Bool {
    switch bar {
    case .atMost(let limit): value <= limit
    case .atLeast(let limit): value >= limit
    }
  }
}

/// What is run in turn, round by round, and what is said of it.
struct Measure {
  var name: String
  var unit: String
  var series: [Series]
  var verdicts: [Verdict]
}
