import ForsettiCore

/// The last things a module said for people, bounded in number and in bytes.
struct LogTail: Sendable {
  private struct Entry {
    let time: UInt64
    let level: LogLevel?
    let text: String
  }

  private var entries = BoundedQueue<Entry>(capacity: CrashEvidence.logLines)

  /// Keeps what was said as a report shows it, so that nothing long is held.
  mutating func add(_ output: ModuleOutput, at time: UInt64) {
    entries.append(
      Entry(
        time: time, level: output.level,
        text: LogText.cut(output.shownText, limit: CrashEvidence.logLineBytes)))
  }

  /// What was said, oldest first, with times counted from `begin`.
  func lines(since begin: UInt64) -> [CrashLogLine] {
    entries.suffix(CrashEvidence.logLines).map { entry in
      let milliseconds = Int64(clamping: (entry.time &- begin) / 1_000_000)
      return CrashLogLine(
        atMilliseconds: milliseconds, level: entry.level, text: entry.text)
    }
  }
}

extension ModuleOutput {
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
      LogText.sorted(record.metadata).reduce(record.message) { "\($0) \($1.key)=\($1.value)" }
    case .line(let text, _): text
    case .dropped(let count): "\(count) records and lines were dropped above its rate limit"
    }
  }
}
