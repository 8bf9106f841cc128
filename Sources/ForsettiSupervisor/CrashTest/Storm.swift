import ForsettiCore
import ForsettiHostileSet

/// A storm as it was asked for.
struct StormPlan: Sendable, Hashable {
  var seconds: Int
  /// The same seed brings the same cases in the same order.
  var seed: UInt64
}

/// The cases of a storm, a handful at once, in an order that the seed alone decides.
struct StormWaves {
  /// So many hostile modules run at the same time.
  static let width = 4

  private let cases: [HostileCase]
  private var generator: SplitMix64

  /// - Parameter cases: those to choose from.
  init(_ seed: UInt64, _ cases: [HostileCase]) {
    self.cases = cases
    generator = SplitMix64(seed: seed)
  }

  /// The next ones, all different.
  mutating func next() -> [HostileCase] {
    Array(cases.shuffled(using: &generator).prefix(Self.width))
  }
}

/// What came of a storm.
struct StormReport: Sendable, Hashable {
  let plan: StormPlan
  /// Cases run.
  private(set) var runs = 0
  /// Those that were not contained, the first few.
  private(set) var failures: [CaseResult] = []
  /// How many were not.
  private(set) var failureCount = 0
  /// What the neighbours saw of all of it.
  private(set) var neighbours = Neighbourhood.Span()

  private static let kept = 20

  init(_ plan: StormPlan) { self.plan = plan }

  /// Adds what ran at once; the neighbours saw it as one.
  mutating func add(_ results: [CaseResult]) {
    runs += results.count
    let failed = results.filter { !$0.isContained }
    failureCount += failed.count
    failures += failed.prefix(Self.kept - failures.count)
    guard let span = results.first?.facts.neighbours else { return }
    neighbours.rounds += span.rounds
    neighbours.lost += span.lost
    neighbours.times.add(span.times)
  }
}
