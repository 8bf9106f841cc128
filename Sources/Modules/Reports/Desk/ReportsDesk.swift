internal import ForsettiModuleKit

/// What operators do with reports, and what they see of it.
@MainActor
final class ReportsDesk: ViewDesk {
  private var state = ReportsState()
  private let context: ForsettiContext
  private let desk: ModuleDesk
  private let store: ReportsStore?
  /// Reads the fleet, while somebody waits for it.
  private var reading: Task<Void, Never>?

  init(context: ForsettiContext) {
    self.context = context
    desk = ModuleDesk(context: context)
    // Asked for beforehand: whoever runs without it has said so, and needs no warning.
    let storage = context.grantedCapabilities.contains(.storage) ? context.services.storage : nil
    store = storage.map { ReportsStore(storage: $0) }
  }

  func open() async throws {
    try await load()
    try await desk.on("refresh") { [weak self] _ in await self?.readFleet() }
    try await desk.on("cancel") { [weak self] _ in self?.reading?.cancel() }
    try await desk.on("run") { [weak self] in await self?.run($0) }
    try await desk.on("runAlone") { [weak self] _ in await self?.runAlone() }
    try await desk.on("addCriterion") { [weak self] in
      self?.edit($0) { state, form throws(ReportFault) in try state.addCriterion(form) }
    }
    try await desk.on("removeCriterion") { [weak self] in
      self?.edit($0) { $0.removeCriterion($1["place"].flatMap { Int($0) } ?? -1) }
    }
    try await desk.on("new") { [weak self] in self?.edit($0) { state, _ in state.begin() } }
    try await desk.on("save") { [weak self] _ in await self?.keepDraft() }
    try await desk.on("open") { [weak self] in await self?.open($0) }
    try await desk.on("delete") { [weak self] in await self?.delete($0) }
    try await desk.on("location") { [weak self] in await self?.setLocation($0) }
    try await desk.on("page") { [weak self] in
      self?.edit($0) { $0.turn(to: $1["page"].flatMap { Int($0) } ?? 0) }
    }
    try await desk.on("export") { [weak self] in await self?.export($0) }
  }

  /// A reading under way ends; what was kept is kept.
  func close() {
    reading?.cancel()
    desk.close()
  }

  func draw() -> ViewNode { ReportsView(state: state, type: desk.type).node }

  // MARK: - The fleet

  /// Reads the fleet; whoever asks while it is read waits for the same reading.
  /// - Parameter plan: what to read, where it is for one report alone.
  private func readFleet(_ plan: ReportPlan? = nil) async {
    if let reading { return await reading.value }
    let task = Task { await self.takeSnapshot(plan) }
    reading = task
    await task.value
    reading = nil
  }

  private func takeSnapshot(_ plan: ReportPlan?) async {
    show { $0.progress = SnapshotProgress(label: "Reading the fleet", share: nil) }
    let loader = SnapshotLoader(
      client: JamfClient(context: context), locationAttribute: state.locationAttribute, plan: plan
    ) { [weak self] progress in self?.show { $0.progress = progress } }
    do throws(JamfFailure) {
      let snapshot = try await loader.load(at: WallClock.now())
      show {
        $0.progress = nil
        $0.take(snapshot)
      }
      await report(snapshot.warnings, of: snapshot)
    } catch {
      let tone: ViewTone = error == .cancelled || error == .notConfigured ? .info : .error
      show {
        $0.progress = nil
        $0.notice = ReportsState.Notice(text: error.what, tone: tone, advice: error.advice)
      }
    }
  }

  private func report(_ warnings: [String], of snapshot: FleetSnapshot) async {
    guard !warnings.isEmpty else { return }
    let report = DiagnosticReport(
      category: "snapshot", severity: .warning, message: "The fleet was read in part",
      metadata: ["count": "\(snapshot.devices.count)", "reason": warnings.joined(separator: " ")])
    do { try await context.services.diagnostics?.emit(report) } catch {
      context.logger.warning("a snapshot in part could not be reported", error: error)
    }
  }

  // MARK: - Reports

  private func run(_ payload: [String: String]) async {
    guard edit(payload, { state, form throws(ReportFault) in try state.define(form) }) else { return }
    await runDraft()
  }

  private func open(_ payload: [String: String]) async {
    guard let definition = state.saved[payload["name"] ?? ""] else {
      return say("This report is not kept any more; choose another.", .warning)
    }
    show { $0.begin(definition) }
    await runDraft()
  }

  private func runDraft() async {
    if !state.isServed { await readFleet() }
    show { $0.run() }
  }

  /// Reads what the report in the making needs, and runs it.
  private func runAlone() async {
    await readFleet(ReportPlan(state.draft))
    show { $0.run() }
  }

  private func keepDraft() async {
    var saved = state.saved
    do throws(ReportFault) { try saved.keep(state.draft) } catch { return say(error.advice, .warning) }
    await keep(saved, "“\(state.draft.name)” is kept.")
  }

  private func delete(_ payload: [String: String]) async {
    var saved = state.saved
    saved.delete(named: payload["name"] ?? "")
    await keep(saved, "The report was deleted.")
  }

  /// What the view shows as kept is in the storage.
  private func keep(_ saved: SavedReports, _ success: String) async {
    guard let store else {
      return say("Nothing can be kept: the policy grants this module no storage.", .warning)
    }
    do throws(ServiceError) {
      try await store.keep(saved)
      show { $0.saved = saved }
      say(success, .success)
    } catch { say("The storage refused it, and nothing has changed: \(error)", .error, error.advice) }
  }

  private func setLocation(_ payload: [String: String]) async {
    show { $0.setLocation(payload["attribute"] ?? "") }
    do throws(ServiceError) {
      try await store?.keep(locationAttribute: state.locationAttribute)
      say("The location is set; it shows once the fleet is read again.", .success)
    } catch { say("The location holds until the module ends: \(error)", .warning, error.advice) }
  }

  private func export(_ payload: [String: String]) async {
    guard let result = state.result, let format = payload["format"].flatMap(ReportFormat.init) else {
      return say("Run a report before you export it.", .warning)
    }
    do throws(ServiceError) {
      let paths = try await DocumentExport(context: context).write(
        format.documents(of: result), prefix: ReportFormat.prefix(of: result.definition.name),
        at: WallClock.now(), fileExtension: format.fileExtension)
      say("Exported to \(paths.joined(separator: ", "))", .success)
    } catch { say("Nothing was exported: \(error)", .error, error.advice) }
  }

  // MARK: - What is kept, and what is shown

  /// Takes up what was kept. A storage that can't be read refuses the start: going on without what is in it, the next
  /// report that is kept would take its place.
  private func load() async throws {
    guard let store else { return }
    state.setLocation(try await store.locationAttribute() ?? "")
    do { state.saved = try await store.definitions() } catch let fault as JSONFault {
      context.logger.warning("the reports that were kept are none, and are given up", error: fault)
    }
  }

  /// Changes the report in the making, or says why not.
  @discardableResult
  private func edit(
    _ payload: [String: String], _ body: (inout ReportsState, [String: String]) throws(ReportFault) -> Void
  ) -> Bool {
    state.notice = nil
    defer { desk.changed() }
    do throws(ReportFault) { try body(&state, payload) } catch {
      state.notice = ReportsState.Notice(text: error.advice, tone: .warning)
      return false
    }
    return true
  }

  private func show(_ body: (inout ReportsState) -> Void) {
    body(&state)
    desk.changed()
  }

  private func say(_ text: String, _ tone: ViewTone, _ advice: String? = nil) {
    show { $0.notice = ReportsState.Notice(text: text, tone: tone, advice: advice) }
  }
}
