internal import ForsettiModuleKit

/// An event and its place in the order in which events came.
struct LoggedEvent: Sendable, Equatable {
  /// From 1, without gaps.
  var number: Int64
  var report: DiagnosticReport
}

/// The newest events, oldest first.
struct EventLog: Sendable, Equatable {
  private(set) var events: [LoggedEvent] = []
  /// The number of the next event.
  private(set) var next: Int64 = 1

  /// Events that are held in memory.
  static let limit = 2_000

  init() {}

  /// Goes on where a former process ended.
  init(resuming events: [LoggedEvent], next: Int64) {
    self.events = Array(events.suffix(Self.limit))
    self.next = next
  }

  /// Takes up an event; the oldest gives way where there are too many.
  mutating func add(_ report: DiagnosticReport) -> LoggedEvent {
    let event = LoggedEvent(number: next, report: report)
    next += 1
    if events.count == Self.limit { events.removeFirst() }
    events.append(event)
    return event
  }

  /// Forgets all up to a number, and goes on counting: no number comes twice.
  mutating func clear(upTo number: Int64) { events.removeAll { $0.number <= number } }

  /// How many events of each severity there are, the worst first.
  var counts: [(severity: LogLevel, count: Int)] {
    LogLevel.allCases.reversed().map { level in (level, events.count { $0.report.severity == level }) }
  }

  /// Everybody who reported something, by name.
  var sources: [String] { Set(events.map(\.report.source)).sorted() }
}
