/// The connections of a server, by descriptor, and until when each must be done with what it does.
struct ConnectionTable {
  /// What a connection does.
  enum Phase: Hashable {
    /// It waits for a request, or receives it: until this time.
    case receiving(until: SuspendingClock.Instant)
    /// The handler has the request, or a stream goes out: for as long as it takes.
    case unbounded
    /// An answer goes out, since then and until this time.
    case sending(since: SuspendingClock.Instant, until: SuspendingClock.Instant)
    /// It is cut off, and the rest of it is on its way out.
    case ended

    fileprivate func isOver(at now: SuspendingClock.Instant?, _ isStopping: Bool) -> Bool {
      guard self != .ended else { return false }
      guard let now else { return true }
      switch self {
      case .receiving(let end): return isStopping || end <= now
      case .sending(_, let end): return end <= now
      case .unbounded, .ended: return false
      }
    }

    /// What decides who gives a place to a newcomer: the least does; `nil` does not. Whoever comes with a request is past
    /// this in no time; whoever sends none, or reads no answer, is not.
    fileprivate func patience(at now: SuspendingClock.Instant) -> (rank: Int, until: SuspendingClock.Instant)?
    {
      switch self {
      case .receiving(let end): (0, end)
      case .sending(let begin, let end): begin + ConnectionTable.timeToRead <= now ? (1, end) : nil
      case .unbounded, .ended: nil
      }
    }
  }

  /// Whoever reads has taken what the kernel does not hold of an answer by then; this host alone is served.
  private static let timeToRead = Duration.milliseconds(250)

  /// A stream that goes out.
  private struct OpenStream {
    let stream: any HTTPStream
    let descriptor: Int32
  }

  private(set) var phases: [Int32: Phase] = [:]
  private var open: [ObjectIdentifier: OpenStream] = [:]
  /// Whether the server stops: nothing new begins.
  private(set) var isStopping = false

  var isEmpty: Bool { phases.isEmpty }
  var count: Int { phases.count }

  /// A connection is there, or does something else; false where it was ended, and stays so.
  @discardableResult mutating func set(_ phase: Phase, _ descriptor: Int32) -> Bool {
    guard phases[descriptor] != .ended else { return false }
    phases[descriptor] = phase
    return true
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

  // MARK: Places

  /// Whether one more connection may come: there is a place, or somebody would give theirs. There is never more than one too
  /// many: the next comes when that one, or another, has left.
  func takesOneMore(limit: Int, at now: SuspendingClock.Instant) -> Bool {
    count < limit || count == limit && phases.values.contains { $0.patience(at: now) != nil }
  }

  /// The connection that gives its place where there are more than the limit and none is on its way out; it is named once.
  /// - Parameter newcomer: keeps what it has just got.
  mutating func takeOneTooMany(
    limit: Int, butNot newcomer: Int32? = nil, at now: SuspendingClock.Instant
  ) -> Int32? {
    guard count > limit, !phases.values.contains(.ended) else { return nil }
    let candidates = phases.compactMap { descriptor, phase in
      descriptor == newcomer ? nil : phase.patience(at: now).map { (descriptor, $0) }
    }
    guard let first = candidates.min(by: { $0.1 < $1.1 })?.0 else { return nil }
    phases[first] = .ended
    return first
  }

  // MARK: Streams

  /// Lets a stream begin on a connection; false where there are enough, the server stops, or the connection was ended.
  mutating func add(_ stream: any HTTPStream, on descriptor: Int32, limit: Int) -> Bool {
    guard !isStopping, open.count < limit, phases[descriptor] != .ended else { return false }
    open[ObjectIdentifier(stream)] = OpenStream(stream: stream, descriptor: descriptor)
    return true
  }

  mutating func remove(_ stream: any HTTPStream) { open[ObjectIdentifier(stream)] = nil }

  /// The streams that go out.
  var streams: [any HTTPStream] { open.values.map(\.stream) }

  /// The connections on which they do. One that has left the table meanwhile is not among them.
  var streamDescriptors: [Int32] { open.values.map(\.descriptor).filter { phases[$0] == .unbounded } }

  /// The streams of these connections. Their clients are gone: they have no place among the streams any more.
  mutating func takeStreams(on descriptors: Set<Int32>) -> [any HTTPStream] {
    let gone = open.filter { descriptors.contains($0.value.descriptor) }
    for (key, stream) in gone {
      open[key] = nil
      set(.ended, stream.descriptor)
    }
    return gone.values.map(\.stream)
  }

  /// Begins the end.
  mutating func stop() { isStopping = true }
}
