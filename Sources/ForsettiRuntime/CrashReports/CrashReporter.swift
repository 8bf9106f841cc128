import ForsettiBlocking
import ForsettiCore

/// Takes crash reports from the reactor to the disk, the functions of their frames named on the way, without holding
/// anybody up.
@ReactorActor public final class CrashReporter {
  /// Reports that may wait for the disk; what comes then is not kept, and said so.
  private static let maximumWaiting = 64

  private let store: CrashReportStore
  private let worker: BlockingWorker
  private let symbols: SymbolResolver?
  private let logger: any ForsettiLogger
  private var writes: [CrashReportID: Task<Void, Never>] = [:]

  /// Makes a reporter.
  /// - Parameters:
  ///   - worker: a thread that may block.
  ///   - symbols: names the functions of the frames; without it they have addresses alone.
  ///   - logger: is told of each report once it is on disk.
  nonisolated init(
    _ store: CrashReportStore, on worker: BlockingWorker, symbols: SymbolResolver? = nil,
    logger: any ForsettiLogger
  ) {
    self.store = store
    self.worker = worker
    self.symbols = symbols
    self.logger = logger
  }

  /// Keeps a report on a process that ran this program.
  func keep(_ report: CrashReport, of program: ModuleProgram?) {
    let moduleID = report.module.moduleID
    guard writes.count < Self.maximumWaiting else {
      logger.warning("its crash report is not kept: \(writes.count) wait for the disk", moduleID: moduleID)
      return
    }
    writes[report.id] = Reactor.task {
      let report = await self.named(report, of: program)
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

  /// The report with its frames' functions, or with the reason why they have no names.
  private func named(_ report: CrashReport, of program: ModuleProgram?) async -> CrashReport {
    guard let symbols, let program else { return report }
    var report = report
    let places = report.evidence.places
    do throws(SymbolFailure) {
      let functions = try await symbols.functions(around: places.map(\.place), in: program)
      for (place, function) in zip(places, functions) {
        if let function { report.evidence.backtrace[place.frame].lie(in: function) }
      }
    } catch {
      report.evidence.missing.append("the names of its functions: \(error)")
    }
    return report
  }

  /// Waits until every report that was to be kept is on disk.
  func finish() async {
    for write in writes.values { await write.value }
  }
}
