public import ForsettiCore
import Synchronization

/// The recent past of the log, for whoever asks later: bounded by records and by bytes, the oldest give way. Takes
/// records from any thread, and never blocks.
public final class LogHistory: LogSink {
  /// A record and its place in the log.
  public struct Entry: Sendable, Hashable {
    /// Counts from 1; a gap is what a reader has missed.
    public var number: UInt64
    /// The record.
    public var record: LogRecord
  }

  private struct State {
    var entries: [Entry] = []
    /// Where the oldest entry is: those before it are given up.
    var first = 0
    var bytes = 0
    var number: UInt64 = 0
    var followers: [UInt64: AsyncStream<Entry>.Continuation] = [:]
  }

  private let recordLimit: Int
  private let byteLimit: Int
  private let state = Mutex(State())

  /// Makes an empty history; the defaults keep 4,096 records of a megabyte in all.
  public init(recordLimit: Int = 4096, byteLimit: Int = 1 << 20) {
    self.recordLimit = recordLimit
    self.byteLimit = byteLimit
  }

  /// Keeps a record, its texts cut to what a log line shows.
  public func write(_ record: LogRecord) {
    var record = record
    record.message = LogText.cut(record.message, limit: LogText.messageLimit)
    record.metadata = Dictionary(
      LogText.sorted(record.metadata).map {
        (LogText.cut($0.key, limit: LogText.valueLimit), LogText.cut($0.value, limit: LogText.valueLimit))
      }
    ) { first, _ in first }
    let kept = record
    state.withLock { state in
      state.number += 1
      let entry = Entry(number: state.number, record: kept)
      state.entries.append(entry)
      state.bytes += Self.size(of: kept)
      trim(&state)
      for follower in state.followers.values { follower.yield(entry) }
    }
  }

  private func trim(_ state: inout State) {
    while state.entries.count - state.first > recordLimit || state.bytes > byteLimit,
      state.first < state.entries.count
    {
      state.bytes -= Self.size(of: state.entries[state.first].record)
      state.first += 1
    }
    if state.first > state.entries.count / 2 {
      state.entries.removeFirst(state.first)
      state.first = 0
    }
  }

  private static func size(of record: LogRecord) -> Int {
    record.metadata.reduce(record.message.utf8.count + 64) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }

  /// The last records of a level and above, of one module or of all, oldest first.
  public func recent(_ count: Int, level: LogLevel = .debug, moduleID: String? = nil) -> [Entry] {
    state.withLock { state in
      var found: [Entry] = []
      for entry in state.entries[state.first...].reversed() {
        guard found.count < count else { break }
        if Self.matches(entry.record, level, moduleID) { found.append(entry) }
      }
      return found.reversed()
    }
  }

  /// Whether a record is among what is asked for.
  public static func matches(_ record: LogRecord, _ level: LogLevel, _ moduleID: String?) -> Bool {
    record.level.rank >= level.rank && (moduleID == nil || record.moduleID == moduleID)
  }

  /// Each record from now on. A reader that is slower than the log misses records, and sees so by their numbers.
  public func follow() -> AsyncStream<Entry> {
    let (stream, continuation) = AsyncStream<Entry>.makeStream(bufferingPolicy: .bufferingNewest(1024))
    let id = state.withLock { state in
      let id = (state.followers.keys.max() ?? 0) + 1
      state.followers[id] = continuation
      return id
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.followers[id] = nil }
    }
    return stream
  }
}

/// Hands on records of a level and above.
public struct LeveledLogSink: LogSink {
  private let level: LogLevel
  private let sink: any LogSink

  /// Makes a filter before another sink.
  public init(_ level: LogLevel, _ sink: any LogSink) {
    self.level = level
    self.sink = sink
  }

  /// Hands on one record, if it weighs enough.
  public func write(_ record: LogRecord) {
    if record.level.rank >= level.rank { sink.write(record) }
  }
}

extension LogLevel {
  /// The lesser of two.
  public static func lesser(_ left: LogLevel, _ right: LogLevel) -> LogLevel {
    left.rank <= right.rank ? left : right
  }
}
