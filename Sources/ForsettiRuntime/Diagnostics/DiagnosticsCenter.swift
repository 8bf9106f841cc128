public import ForsettiCore

/// Something that a diagnostics provider should know of.
public struct DiagnosticEvent: Sendable, Hashable {
  /// Milliseconds since 1970.
  public var time: Int64
  /// Who reports: `forsetti.runtime` or a module ID.
  public var source: String
  /// A word for the kind of thing, such as `bootstrap`.
  public var category: String
  /// How much it weighs.
  public var severity: LogLevel
  /// One line.
  public var message: String
  /// Further facts.
  public var metadata: [String: String]

  /// Makes an event; texts are cut to the bounds of a log line.
  public init(
    time: Int64, source: String, category: String, severity: LogLevel, message: String,
    metadata: [String: String] = [:]
  ) {
    self.time = time
    self.source = LogText.cut(source, limit: LogText.valueLimit)
    self.category = LogText.cut(category, limit: LogText.valueLimit)
    self.severity = severity
    self.message = LogText.cut(message, limit: LogText.valueLimit)
    self.metadata = Dictionary(
      uniqueKeysWithValues: LogText.sorted(metadata).filter { $0.key.utf8.count <= LogText.valueLimit }
        .map { ($0.key, LogText.cut($0.value, limit: LogText.valueLimit)) })
  }
}

/// Keeps diagnostic events until a provider takes them: the newest 2,000, and a count of older ones that were
/// lost (SPEC §4: "diagnostics' emit waits").
@ReactorActor public final class DiagnosticsCenter {
  /// The source of the runtime's own events (seed "Error Handling").
  nonisolated static let runtimeSource = "forsetti.runtime"

  private var kept: BoundedQueue<DiagnosticEvent>
  /// Called after each report; the one who hands events over to the provider sets it.
  var onReport: (() -> Void)?

  /// Makes a center.
  ///
  /// - Parameter capacity: how many events are kept.
  public nonisolated init(capacity: Int = 2_000) {
    kept = BoundedQueue(capacity: capacity)
  }

  /// Events that wait.
  public var count: Int { kept.count }

  /// The newest events that wait, oldest first; they stay.
  public func latest(_ limit: Int) -> [DiagnosticEvent] { kept.suffix(limit) }

  /// Adds an event; the oldest gives way if there are too many.
  public func report(_ event: DiagnosticEvent) {
    kept.append(event)
    onReport?()
  }

  /// Reports that the runtime could not boot: source `forsetti.runtime`, category `bootstrap`.
  func reportBootFailure(_ message: String, metadata: [String: String] = [:]) {
    report(
      DiagnosticEvent(
        time: wallMilliseconds(), source: Self.runtimeSource, category: "bootstrap", severity: .error,
        message: message, metadata: metadata))
  }

  /// Hands events over, oldest first, and how many before them were lost.
  ///
  /// - Parameter limit: how many at most.
  public func take(_ limit: Int = .max) -> (events: [DiagnosticEvent], lost: Int) {
    let taken = kept.take(limit)
    return (taken.elements, taken.lost)
  }

  /// Puts an event back that was taken and did not reach anybody: it is the oldest again. Where the center has filled
  /// up meanwhile it is lost, as the oldest is.
  func putBack(_ event: DiagnosticEvent) { kept.putBack(event) }
}

/// A queue of bounded length: the oldest element gives way, and is counted.
struct BoundedQueue<Element: Sendable>: Sendable {
  private let capacity: Int
  private var elements: [Element] = []
  /// Index of the oldest, once the array is full.
  private var start = 0
  private var lost = 0

  init(capacity: Int) { self.capacity = max(1, capacity) }

  var count: Int { elements.count }

  mutating func append(_ element: Element) {
    guard elements.count == capacity else {
      elements.append(element)
      return
    }
    elements[start] = element
    start = (start + 1) % capacity
    lost += 1
  }

  mutating func putBack(_ element: Element) {
    guard elements.count < capacity else {
      lost += 1
      return
    }
    elements.insert(element, at: start)
  }

  func suffix(_ limit: Int) -> [Element] { ordered.suffix(max(0, limit)) }

  mutating func take(_ limit: Int) -> (elements: [Element], lost: Int) {
    let all = ordered
    let taken = all.prefix(max(0, limit))
    elements = Array(all.dropFirst(taken.count))
    start = 0
    defer { lost = 0 }
    return (Array(taken), lost)
  }

  private var ordered: [Element] { Array(elements[start...]) + elements[..<start] }
}
