public import ForsettiModuleKit

/// Keeps what all modules and the runtime report, shows it, and provides the diagnostics role.
public final class ForsettiDiagnosticsServiceModule: ForsettiLifecycleModule, ForsettiDiagnosticsProvider,
  ForsettiRenderingModule
{
  private var log = EventLog()
  private var view = DiagnosticsView()
  private var journal: EventJournal?
  private var desk: ModuleDesk?
  private var lifecycle: SubscriptionToken?

  /// Events of one export at most; an older one waits in the storage until the newer are cleared.
  private static let exportLimit = 10_000
  private static let answerLimits = 1...1_000

  /// Makes the module, not started.
  public init() { super.init(manifest: DiagnosticsServiceManifest.manifest) }

  /// Takes up what was kept before anything new comes.
  public override func activate(context: ForsettiContext) async throws {
    if context.grantedCapabilities.contains(.storage), let storage = context.services.storage {
      let journal = EventJournal(storage) { context.logger.warning("events are in memory alone", error: $0) }
      log = try await journal.load()
      self.journal = journal
    }
    let desk = ModuleDesk(context: context)
    self.desk = desk
    try await desk.on("filter") { [weak self] in self?.filter($0) }
    try await desk.on("page") { [weak self] in self?.turn(to: $0) }
    try await desk.on("export") { [weak self] in await self?.export($0, context) }
    try await desk.on("clear") { [weak self] in await self?.clear($0) }
    lifecycle = try await context.subscribe(to: LifecycleNotice.pattern) { [weak self] event in
      guard event.sourceModuleID == nil,
        let report = LifecycleNotice.report(event.type, event.payload.dictionary, at: event.timestamp)
      else { return }
      await self?.keep(report)
    }
  }

  /// Whatever came is kept already.
  public override func deactivate(context: ForsettiContext) async {
    lifecycle?.cancel()
    lifecycle = nil
    desk?.close()
    desk = nil
    journal = nil
  }

  // MARK: - The role

  /// Keeps an event, after all that nobody needs was taken out of it. A report that waited while this module was away
  /// has the time at which it was made; none is from the future.
  public func emit(_ event: DiagnosticReport, from source: String) async throws {
    var report = event
    let now = WallClock.now()
    report.source = source
    report.time = 1...now ~= event.time ? event.time : now
    await keep(report)
  }

  private func keep(_ report: DiagnosticReport) async {
    let event = log.add(DiagnosticRedaction.redacted(report))
    desk?.changed()
    await journal?.append(event)
  }

  /// Events that match, newest first; those in the storage too, where memory has too few.
  public func events(_ filter: DiagnosticFilter, from source: String) async throws -> [DiagnosticReport] {
    guard Self.answerLimits.contains(filter.limit) else {
      throw ServiceError.invalidArgument(name: "limit", reason: "1 to 1,000 is meant")
    }
    return try await newest(filter.limit) { filter.matches($0) }
  }

  /// Events that match as one document, oldest first.
  public func export(
    _ filter: DiagnosticFilter, format: DiagnosticFormat, from source: String
  ) async throws -> [UInt8] {
    let reports = try await events(filter, from: source)
    let documents = DiagnosticsDocument.documents(reports.reversed(), format, at: WallClock.now())
    guard documents.count == 1, let document = documents.first else {
      throw ServiceError.tooLarge(limit: UInt64(DocumentParts.documentLimit))
    }
    return document
  }

  /// Newest first.
  private func newest(
    _ limit: Int, _ isWanted: (DiagnosticReport) -> Bool
  ) async throws(ServiceError) -> [DiagnosticReport] {
    var found = Array(log.events.reversed().lazy.map(\.report).filter(isWanted).prefix(limit))
    guard found.count < limit, let journal else { return found }
    try await journal.older(than: log.events.first?.number ?? log.next) { event in
      if isWanted(event.report) { found.append(event.report) }
      return found.count < limit
    }
    return found
  }

  // MARK: - The desk

  /// Draws the view from memory.
  public func render(viewID: String, parameters: [String: String]) async throws -> ViewNode {
    guard viewID == DiagnosticsView.viewID else { throw ServiceError.notFound(viewID) }
    return view.node(log, failures: journal?.failures) { ModuleDesk.type($0, of: manifest.moduleID) }
  }

  private func filter(_ payload: [String: String]) {
    view.query = EventQuery(form: payload)
    view.page = 0
    view.notice = nil
    desk?.changed()
  }

  private func turn(to payload: [String: String]) {
    view.page = max(0, payload["page"].flatMap { Int($0) } ?? 0)
    desk?.changed()
  }

  private func export(_ payload: [String: String], _ context: ForsettiContext) async {
    let format = payload["format"].flatMap { DiagnosticFormat(rawValue: $0) } ?? .json
    let (query, now) = (view.query, WallClock.now())
    do throws(ServiceError) {
      let reports = try await newest(Self.exportLimit) { query.matches($0) }
      let paths = try await DocumentExport(context: context).write(
        DiagnosticsDocument.documents(reports.reversed(), format, at: now),
        prefix: DiagnosticsDocument.filePrefix, at: now, fileExtension: format == .json ? "json" : "md")
      let events = reports.count == 1 ? "1 event" : "\(reports.count) events"
      say("Exported \(events) to \(paths.joined(separator: ", "))", .success)
    } catch { say("Nothing was exported: \(error). \(error.advice)", .error) }
  }

  private func clear(_ payload: [String: String]) async {
    guard DiagnosticsView.confirmation.isGiven(in: payload) else {
      return say(TypedConfirmation.advice, .warning)
    }
    // What comes meanwhile was not meant.
    let last = log.next - 1
    do throws(ServiceError) {
      try await journal?.clear(upTo: last)
      log.clear(upTo: last)
      view.page = 0
      say("All events were cleared.", .success)
    } catch { say("The events could not be cleared: \(error). \(error.advice)", .error) }
  }

  private func say(_ text: String, _ tone: ViewTone) {
    view.notice = DiagnosticsView.Notice(text: text, tone: tone)
    desk?.changed()
  }
}
