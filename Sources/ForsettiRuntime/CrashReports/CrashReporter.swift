import ForsettiBlocking
import ForsettiCore

/// Takes crash reports from the reactor to the disk, in their order, without holding anybody up.
@ReactorActor public final class CrashReporter {
  /// Reports that may wait for the disk; what comes then is not kept, and said so.
  private static let maximumWaiting = 64

  private let store: CrashReportStore
  private let worker: BlockingWorker
  private let logger: any ForsettiLogger
  private var writes: [CrashReportID: Task<Void, Never>] = [:]

  /// Makes a reporter.
  /// - Parameters:
  ///   - worker: a thread that may block.
  ///   - logger: is told of each report once it is on disk.
  nonisolated init(_ store: CrashReportStore, on worker: BlockingWorker, logger: any ForsettiLogger) {
    self.store = store
    self.worker = worker
    self.logger = logger
  }

  /// Keeps a report.
  func keep(_ report: CrashReport) {
    let moduleID = report.module.moduleID
    guard writes.count < Self.maximumWaiting else {
      logger.warning("its crash report is not kept: \(writes.count) wait for the disk", moduleID: moduleID)
      return
    }
    writes[report.id] = Reactor.task {
      do throws(CrashReportError) {
        try await self.worker.run { [store = self.store] () throws(CrashReportError) in try store.save(report)
        }
        self.logger.warning(
          "left crash report \(report.id); read it with `forsetti-supervisor crashes show \(report.id)`",
          moduleID: moduleID)
      } catch {
        self.logger.error("its crash report is not kept: \(error)", moduleID: moduleID)
      }
      self.writes[report.id] = nil
    }
  }

  /// Waits until every report that was to be kept is on disk.
  func finish() async {
    for write in writes.values { await write.value }
  }
}
