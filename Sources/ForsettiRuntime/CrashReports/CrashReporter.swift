import ForsettiBlocking
import ForsettiCore

/// Takes crash reports from the reactor to the disk, and has the functions of their frames named, without holding anybody
/// up. A report is on disk before it is asked for names: a worker that is slow, or falls, costs the names alone.
@ReactorActor public final class CrashReporter {
  /// Reports that may wait for the disk; what comes then is not kept, and said so.
  private static let maximumWaiting = 64

  private let store: CrashReportStore
  private let worker: BlockingWorker
  private let symbols: SymbolResolver?
  private let logger: any ForsettiLogger
  /// Reports that are not on disk yet.
  private var unsaved = 0
  /// Reports that are not on disk as they will stay.
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

  /// Keeps a report on a process that ran this program: at once as it is, and again once its functions have names, unless
  /// these are known already.
  func keep(_ report: CrashReport, of program: ModuleProgram?) {
    let moduleID = report.module.moduleID
    guard unsaved < Self.maximumWaiting else {
      logger.warning("its crash report is not kept: \(unsaved) wait for the disk", moduleID: moduleID)
      return
    }
    unsaved += 1
    let remembered = remembered(report, of: program)
    writes[report.id] = Reactor.task {
      let isSaved = await self.save(remembered ?? report)
      self.unsaved -= 1
      if isSaved {
        self.logger.warning(
          "left crash report \(report.id); read it with `forsetti-supervisor crashes show \(report.id)`",
          moduleID: moduleID)
        if remembered == nil {
          let named = await self.named(report, of: program)
          if named != report { _ = await self.save(named) }
        }
      }
      self.writes[report.id] = nil
    }
  }

  private func save(_ report: CrashReport) async -> Bool {
    do throws(CrashReportError) {
      try await worker.run { [store] () throws(CrashReportError) in try store.save(report) }
      return true
    } catch {
      logger.error("its crash report is not kept: \(error)", moduleID: report.module.moduleID)
      return false
    }
  }

  /// The report with its frames' functions as a former one had them; `nil` where it must be asked.
  private func remembered(_ report: CrashReport, of program: ModuleProgram?) -> CrashReport? {
    guard let symbols, let program else { return nil }
    let places = report.evidence.places.map(\.place)
    guard let functions = symbols.rememberedFunctions(around: places, in: program) else { return nil }
    var report = report
    report.evidence.name(functions)
    return report
  }

  /// The report with its frames' functions, or with the reason why they have no names.
  private func named(_ report: CrashReport, of program: ModuleProgram?) async -> CrashReport {
    guard let symbols, let program else { return report }
    var report = report
    let places = report.evidence.places.map(\.place)
    do throws(SymbolFailure) {
      report.evidence.name(try await symbols.functions(around: places, in: program))
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
