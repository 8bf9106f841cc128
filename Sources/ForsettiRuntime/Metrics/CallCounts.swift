public import ForsettiCore

/// Calls that have ended, by service and result. Its table lies where the value lies: counting allocates nothing.
public struct CallCounts: Sendable {
  /// Numbers of services: 0 is the runtime itself.
  private static let services = 12
  private static let results = 8
  private var table = InlineArray<96, UInt64>(repeating: 0)
  /// All of them.
  public private(set) var total: UInt64 = 0
  /// Those that did not end well.
  public private(set) var failures: UInt64 = 0

  /// Counts nothing yet.
  public init() {}

  /// One row that is not zero.
  public struct Row: Sendable, Hashable {
    /// `nil` is the runtime itself: subscriptions, messages, views.
    public var service: ServiceName?
    /// What became of the calls.
    public var result: CallResult
    /// How many.
    public var count: UInt64
  }

  /// Counts a call that has ended.
  /// - Parameter service: the service's number; one that is none counts as the runtime's own.
  mutating func add(_ service: UInt8, _ result: CallResult) {
    let row = Int(service) < Self.services ? Int(service) : 0
    table[row &* Self.results &+ result.index] &+= 1
    // Kept, for they are asked of all modules each second.
    total &+= 1
    if result != .ok { failures &+= 1 }
  }

  /// How many have ended so.
  public subscript(service: ServiceName?, result: CallResult) -> UInt64 {
    table[Int(service?.number ?? 0) &* Self.results &+ result.index]
  }

  /// What is not zero, by service and result.
  public var rows: [Row] {
    ([nil] + ServiceName.allCases).flatMap { service in
      CallResult.allCases.compactMap { result in
        let count = self[service, result]
        return count == 0 ? nil : Row(service: service, result: result, count: count)
      }
    }
  }
}
