import ForsettiCore
import Synchronization

/// The audit log of a running supervisor: takes decisions from any thread without blocking, and a thread of its own writes
/// them in their order, each batch synced to disk before the next one. What cannot be written waits, 4,096 decisions at most;
/// later ones are counted, and the count is the line behind those that waited. A full disk costs lines, never modules.
public final class AuditLog: AuditRecorder {
  private struct State {
    var waiting: [(event: AuditEvent, time: Int64)] = []
    /// Decisions that found no room since the last line that was written.
    var lost = 0
    var isWriting = false
  }

  private static let capacity = 4096

  private let folder: AuditFolder
  private let worker: BlockingWorker
  private let logger: any ForsettiLogger
  private let state = Mutex(State())
  /// Whether the last write failed, so that one line in the log tells of many.
  private let isFailing = Mutex(false)

  /// Opens the log of a state folder, which holds the state's lock or its own.
  /// - Throws: the errno of pthread_create(3).
  public convenience init(stateFolder: String, logger: any ForsettiLogger) throws(SystemError) {
    try self.init(AuditFolder(state: stateFolder), logger: logger)
  }

  init(_ folder: AuditFolder, logger: any ForsettiLogger) throws(SystemError) {
    self.folder = folder
    worker = BlockingWorker(on: try BlockingExecutor(name: "audit-log", urgency: .upkeep))
    self.logger = logger
  }

  /// Keeps a decision.
  public func record(_ event: AuditEvent) {
    let time = wallMilliseconds()
    let mustWake = state.withLock { state in
      if state.waiting.count < Self.capacity { state.waiting.append((event, time)) } else { state.lost += 1 }
      // One task at a time, also where nothing finds room: a disk that is full must not gather tasks.
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if mustWake { Task { await write() } }
  }

  /// Returns when all that was recorded before is on the disk, or can't be written.
  public func flush() async { await write() }

  private func write() async {
    await worker.run { writeAll() }
  }

  /// On the log's own thread, so never twice at once.
  private func writeAll() {
    while true {
      let batch = state.withLock { state in
        let batch = (events: state.waiting, lost: state.lost)
        if batch.events.isEmpty, batch.lost == 0 { state.isWriting = false }
        return batch
      }
      guard !batch.events.isEmpty || batch.lost > 0 else { return }
      var events = batch.events
      if batch.lost > 0 {
        // They came when there was no room: after those that wait.
        events.append((AuditEvent(.lost, details: ["count": "\(batch.lost)"]), wallMilliseconds()))
      }
      let written: Int
      do throws(AuditError) { written = try folder.append(events) } catch {
        // With the next decision it is tried again.
        state.withLock { $0.isWriting = false }
        return tell(of: error)
      }
      isFailing.withLock { $0 = false }
      state.withLock { state in
        state.waiting.removeFirst(min(written, batch.events.count))
        // The count is the last of them.
        if written > batch.events.count { state.lost -= batch.lost }
      }
    }
  }

  private func tell(of error: AuditError) {
    let isNews = isFailing.withLock { isFailing in
      defer { isFailing = true }
      return !isFailing
    }
    if isNews { logger.error("decisions wait to be kept: \(error)", moduleID: nil) }
  }

  /// Keeps one decision of a command that ends then.
  public static func record(_ event: AuditEvent, stateFolder: String) throws(AuditError) {
    try AuditFolder(state: stateFolder).append(event, time: wallMilliseconds())
  }
}
