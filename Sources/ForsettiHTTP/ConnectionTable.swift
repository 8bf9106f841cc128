/// The connections of a server, by descriptor, and until when each must be done with what it does.
struct ConnectionTable {
  /// What a connection does.
  enum Phase: Hashable {
    /// It waits for a request, or receives one: until this time.
    case receiving(until: SuspendingClock.Instant)
    /// The handler has the request, or a stream goes out: for as long as it takes.
    case unbounded
    /// An answer goes out: until this time.
    case sending(until: SuspendingClock.Instant)
    /// It is cut off, and the rest of it is on its way out.
    case ended

    fileprivate func isOver(at now: SuspendingClock.Instant?, _ isStopping: Bool) -> Bool {
      guard self != .ended else { return false }
      guard let now else { return true }
      switch self {
      case .receiving(let end): return isStopping || end <= now
      case .sending(let end): return end <= now
      case .unbounded, .ended: return false
      }
    }
  }

  private(set) var phases: [Int32: Phase] = [:]
  private(set) var streams: [ObjectIdentifier: any HTTPStream] = [:]
  /// Whether the server stops: nothing new begins.
  private(set) var isStopping = false

  var isEmpty: Bool { phases.isEmpty }
  var count: Int { phases.count }

  /// A connection is there, or does something else. One that was ended stays so.
  mutating func set(_ phase: Phase, _ descriptor: Int32) {
    if phases[descriptor] != .ended { phases[descriptor] = phase }
  }

  /// A descriptor is about to be closed.
  mutating func remove(_ descriptor: Int32) { phases[descriptor] = nil }

  /// The connections whose time is over: while the server stops, it is over for whoever has no answer to wait for, and
  /// without a time it is for all. Each is named once.
  mutating func takeOverdue(at now: SuspendingClock.Instant?) -> [Int32] {
    var overdue: [Int32] = []
    for (descriptor, phase) in phases where phase.isOver(at: now, isStopping) { overdue.append(descriptor) }
    for descriptor in overdue { phases[descriptor] = .ended }
    return overdue
  }

  /// Lets a stream begin; false where there are enough, or the server stops.
  mutating func add(_ stream: any HTTPStream, limit: Int) -> Bool {
    guard !isStopping, streams.count < limit else { return false }
    streams[ObjectIdentifier(stream)] = stream
    return true
  }

  mutating func remove(_ stream: any HTTPStream) { streams[ObjectIdentifier(stream)] = nil }

  /// Begins the end.
  mutating func stop() { isStopping = true }
}
