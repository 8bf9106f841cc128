import ForsettiCore

/// The last things a module said for people, bounded in number and in bytes.
struct LogTail: Sendable {
  private struct Entry {
    let time: UInt64
    let output: ModuleOutput
  }

  private var entries = BoundedQueue<Entry>(capacity: CrashEvidence.logLines)

  /// Keeps what was said; what is longer than a report shows is cut here, so that nothing long is held.
  mutating func add(_ output: ModuleOutput, at time: UInt64) {
    entries.append(Entry(time: time, output: output.cut(to: CrashEvidence.logLineBytes)))
  }

  /// What was said, oldest first, with times counted from `begin`.
  func lines(since begin: UInt64) -> [CrashLogLine] {
    entries.suffix(CrashEvidence.logLines).map { entry in
      let milliseconds = Int64(clamping: (entry.time &- begin) / 1_000_000)
      return CrashLogLine(
        atMilliseconds: milliseconds, level: entry.output.level, text: entry.output.shownText)
    }
  }
}

extension ModuleOutput {
  fileprivate func cut(to limit: Int) -> ModuleOutput {
    switch self {
    case .line(let text, let dropped) where text.utf8.count > limit:
      .line(LogText.cut(text, limit: limit), droppedBytes: dropped)
    case .record(var record):
      {
        record.message = LogText.cut(record.message, limit: limit)
        return .record(record)
      }()
    case .line, .dropped: self
    }
  }

  fileprivate var level: LogLevel? {
    switch self {
    case .record(let record): record.level
    case .line: nil
    case .dropped: .warning
    }
  }

  fileprivate var shownText: String {
    switch self {
    case .record(let record):
      LogText.cut(
        LogText.sorted(record.metadata).reduce(record.message) { "\($0) \($1.key)=\($1.value)" },
        limit: CrashEvidence.logLineBytes)
    case .line(let text, _): text
    case .dropped(let count): "\(count) records and lines were dropped above its rate limit"
    }
  }
}
