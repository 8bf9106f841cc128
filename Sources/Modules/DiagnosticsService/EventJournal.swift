internal import ForsettiModuleKit

/// Keeps events in the module's storage: in segments, of which the oldest are removed.
///
/// Events that come while others are written are written together, so that a burst costs few calls.
@MainActor
final class EventJournal {
  private let storage: any StorageService
  /// Keys of full segments, oldest first.
  private var full: [String] = []
  /// The segment that events are added to, and how it began.
  private var current = EventSegment()
  private var waiting: [LoggedEvent] = []
  private var writer: Task<Void, Never>?
  /// Events up to this number were cleared.
  private var cleared: Int64 = 0
  /// Writes that failed since the start.
  private(set) var failures = 0
  /// Calls on the first failure after a success.
  private let onFailure: @MainActor (ServiceError) -> Void
  private var isFailing = false

  /// Full segments that are kept: 20,000 events, in 10 MB at most.
  static let segmentLimit = 200
  /// Events that wait for the storage at most, while it fails; the oldest give way.
  private static let waitingLimit = EventLog.limit
  private static let store = "forsetti-diagnostics-service"
  private static let clearedKey = "cleared"

  init(_ storage: any StorageService, onFailure: @escaping @MainActor (ServiceError) -> Void) {
    self.storage = storage
    self.onFailure = onFailure
  }

  // MARK: - Reading

  /// Takes up what a former process kept, and gives the newest of it.
  func load() async throws(ServiceError) -> EventLog {
    cleared = try await storage.value(forKey: Self.clearedKey, in: Self.store).flatMap { Int64($0) } ?? 0
    full = try await segmentKeys()
    var newest: [LoggedEvent] = []
    var isLast = true
    for key in full.reversed() where newest.count < EventLog.limit {
      let segment = try await segment(key)
      newest = segment.events.filter { $0.number > cleared } + newest
      if isLast, !segment.isFull, let first = segment.events.first,
        key == EventSegment.key(first: first.number)
      {
        current = segment
        full.removeLast()
      }
      isLast = false
    }
    // No number that is kept can bring the next one to its end.
    let last = min(
      1 << 62,
      max(cleared, newest.lazy.map(\.number).max() ?? 0, full.last.flatMap(EventSegment.firstNumber) ?? 0))
    return EventLog(resuming: newest, next: last + 1)
  }

  /// Events before a number, newest first, until `body` says that it has enough.
  func older(than number: Int64, _ body: (LoggedEvent) -> Bool) async throws(ServiceError) {
    for key in full.reversed() where EventSegment.firstNumber(of: key).map({ $0 < number }) ?? false {
      for event in try await segment(key).events.reversed()
      where event.number < number && event.number > cleared {
        guard body(event) else { return }
      }
    }
  }

  private func segment(_ key: String) async throws(ServiceError) -> EventSegment {
    EventSegment(text: try await storage.value(forKey: key, in: Self.store) ?? "")
  }

  private func segmentKeys() async throws(ServiceError) -> [String] {
    var keys: [String] = []
    while true {
      let page = try await storage.keys(prefix: EventSegment.keyPrefix, after: keys.last, in: Self.store)
      keys += page
      guard !page.isEmpty else { return keys.filter { EventSegment.firstNumber(of: $0) != nil } }
    }
  }

  // MARK: - Writing

  /// Returns once the event is kept, or could not be.
  func append(_ event: LoggedEvent) async {
    waiting.append(event)
    if waiting.count > Self.waitingLimit { waiting.removeFirst() }
    // Whoever writes already goes on until nothing waits.
    let task = writer ?? Task { await self.writeWaiting() }
    writer = task
    await task.value
  }

  private func writeWaiting() async {
    defer { writer = nil }
    while !waiting.isEmpty {
      dropCleared()
      var next = current
      var written: Set<Int64> = []
      for event in waiting where !next.isFull {
        next.add(event)
        written.insert(event.number)
      }
      guard let first = next.events.first else { return }
      do {
        try await storage.set(next.text, forKey: EventSegment.key(first: first.number), in: Self.store)
      } catch { return noteFailure(error) }
      isFailing = false
      // These very ones: others may have come in any order, or given way, while this was written.
      waiting.removeAll { written.contains($0.number) }
      current = next
      if current.isFull { await closeSegment(first.number) }
    }
  }

  private func closeSegment(_ first: Int64) async {
    full.append(EventSegment.key(first: first))
    current = EventSegment()
    while full.count > Self.segmentLimit, let oldest = full.first {
      do { try await storage.removeValue(forKey: oldest, in: Self.store) } catch { return noteFailure(error) }
      full.removeAll { $0 == oldest }
    }
  }

  private func noteFailure(_ error: ServiceError) {
    failures += 1
    if !isFailing { onFailure(error) }
    isFailing = true
  }

  // MARK: - Clearing

  /// Removes all events up to a number. Once this has returned no restart brings them back, and once it has taken its
  /// first step neither does a crash.
  func clear(upTo number: Int64) async throws(ServiceError) {
    let before = cleared
    // At once: what is added from here on begins a segment of its own.
    cleared = number
    do { try await storage.set("\(number)", forKey: Self.clearedKey, in: Self.store) } catch {
      cleared = before
      throw error
    }
    waiting.removeAll { $0.number <= number }
    await writer?.value
    dropCleared()
    for key in full where isCleared(key) {
      try await storage.removeValue(forKey: key, in: Self.store)
      full.removeAll { $0 == key }
    }
  }

  /// Whether a segment holds cleared events alone: none goes on past the number at which it was cleared.
  private func isCleared(_ key: String) -> Bool {
    EventSegment.firstNumber(of: key).map { $0 <= cleared } ?? false
  }

  /// Ends the present segment where it was cleared; it goes with the full ones.
  private func dropCleared() {
    guard let first = current.events.first, first.number <= cleared else { return }
    full.append(EventSegment.key(first: first.number))
    current = EventSegment()
  }
}
