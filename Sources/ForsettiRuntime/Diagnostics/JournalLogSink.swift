import CLinux
import ForsettiCore
import Glibc
import Synchronization

/// Records for systemd's journal, by its native protocol (https://systemd.io/JOURNAL_NATIVE_PROTOCOL): fields, not lines, so
/// that `journalctl FORSETTI_MODULE=…` finds them. It never blocks: what the journal has no room for is dropped and counted.
///
/// docs/decisions/0009 says why libsystemd isn't linked for it.
public final class JournalLogSink: LogSink {
  /// Where the journal listens.
  public static let standardPath = "/run/systemd/journal/socket"

  private let path: String
  private let socket: Descriptor
  private let dropped = Mutex(0)

  /// Opens a sink.
  /// - Throws: the errno of socket(2), or of a first datagram that nobody takes: there is no journal.
  public init(path: String = JournalLogSink.standardPath) throws(SystemError) {
    let number = cl_unix_datagram_socket()
    guard number >= 0 else { throw SystemError("socket", -number) }
    self.path = path
    socket = Descriptor(owning: number)
    // An empty datagram is no entry, and tells whether anybody listens.
    let code = cl_unix_send_to(number, path, [UInt8](), 0)
    guard code >= 0 || code == -EAGAIN else { throw SystemError("send to \(path)", -code) }
  }

  /// Sends one record, and before it how many were dropped.
  public func write(_ record: LogRecord) {
    let lost = dropped.withLock { $0 }
    if lost > 0 {
      let notice = LogRecord(
        time: record.time, level: .warning, message: "The journal was full: records were dropped",
        metadata: ["dropped": "\(lost)"])
      guard send(JournalEntry.bytes(notice)) else { return dropped.withLock { $0 += 1 } }
      dropped.withLock { $0 -= lost }
    }
    if !send(JournalEntry.bytes(record)) { dropped.withLock { $0 += 1 } }
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    cl_unix_send_to(socket.number, path, bytes, bytes.count) >= 0
  }
}

/// A record as the journal takes it. Its fields' names are ours alone: what a module calls its metadata names none.
enum JournalEntry {
  static func bytes(_ record: LogRecord) -> [UInt8] {
    var entry: [UInt8] = []
    append("MESSAGE", LogText.cut(record.message, limit: LogText.messageLimit), to: &entry)
    append("PRIORITY", priority(record.level), to: &entry)
    append("SYSLOG_IDENTIFIER", "forsetti", to: &entry)
    append("FORSETTI_ORIGIN", record.origin.rawValue, to: &entry)
    if let moduleID = record.moduleID {
      append("FORSETTI_MODULE", LogText.cut(moduleID, limit: LogText.valueLimit), to: &entry)
    }
    if !record.metadata.isEmpty {
      let pairs = LogText.sorted(record.metadata).map { pair in
        (
          LogText.cut(pair.key, limit: LogText.valueLimit),
          JSONValue.string(LogText.cut(pair.value, limit: LogText.valueLimit))
        )
      }
      append("FORSETTI_METADATA", JSONWriter.text(.object(pairs)), to: &entry)
    }
    return entry
  }

  /// Each value with its length, so that no text can end its field and begin another.
  private static func append(_ name: String, _ value: String, to entry: inout [UInt8]) {
    entry += name.utf8
    entry.append(UInt8(ascii: "\n"))
    let count = UInt64(value.utf8.count)
    for shift in 0..<8 { entry.append(UInt8(truncatingIfNeeded: count &>> UInt64(8 * shift))) }
    entry += value.utf8
    entry.append(UInt8(ascii: "\n"))
  }

  /// As syslog(3) counts them.
  private static func priority(_ level: LogLevel) -> String {
    switch level {
    case .debug: "7"
    case .info: "6"
    case .warning: "4"
    case .error: "3"
    }
  }
}
