internal import ForsettiModuleKit

/// What the tracker does when its operators press something.
@MainActor final class DeploymentDesk: ViewDesk {
  /// What is shown.
  var screen = DeploymentScreen()
  let store: DeploymentStore
  let context: ForsettiContext
  private let desk: ModuleDesk
  private var answers: SubscriptionToken?

  /// The module's own store.
  static let storeName = "forsetti-deployment-tracker"

  init(context: ForsettiContext, storage: any StorageService) {
    self.context = context
    desk = ModuleDesk(context: context)
    store = DeploymentStore(storage: storage, store: Self.storeName)
  }

  /// Takes up what was kept, and listens from then on.
  func open() async throws {
    try await store.load()
    screen.fault = store.fault
    answers = context.subscribeToMessages(DeploymentScan.answerType) { [weak self] event in
      self?.scanned(event)
    }
    for verb in DeploymentVerb.allCases {
      try await desk.on(verb.rawValue) { [weak self] payload in await self?.handle(verb, payload) }
    }
  }

  /// Listens no more: what was acknowledged is kept already.
  func close() {
    answers?.cancel()
    desk.close()
  }

  func draw() -> ViewNode { DeploymentPage(state: store.state, screen: screen).node }

  private func handle(_ verb: DeploymentVerb, _ payload: [String: String]) async {
    screen.notice = nil
    do throws(DeploymentRefusal) { try await perform(verb, Fields(payload)) } catch {
      screen.notice = DeploymentScreen.Notice(error)
    }
    changed()
  }

  /// Says that the view is to be drawn anew.
  func changed() { desk.changed() }

  /// What a button or form sent; a missing field is an empty one.
  struct Fields {
    let payload: [String: String]
    init(_ payload: [String: String]) { self.payload = payload }
    subscript(key: String) -> String { payload[key] ?? "" }
  }

  private func perform(_ verb: DeploymentVerb, _ fields: Fields) async throws(DeploymentRefusal) {
    switch verb {
    case .open: show(fields["workspace"])
    case .device: select(try store.state.device(fields["serial"]).serial)
    case .scan: try await scan(fields["text"])
    case .filter: try filter(fields)
    case .clearFilters: screen.grid.clear()
    case .sort: try sort(fields)
    case .layout: try choose(layout: fields["layout"])
    case .page: turn(to: fields["page"])
    case .guide: screen.guideQuery = String(fields["query"].trimmedScalars.prefix(DeploymentGuide.queryLimit))
    case .findPreload: screen.preloadSerial = DeploymentDevice.normalised(String(fields["serial"].prefix(64)))
    case .preview: preview(fields)
    case .move: try await move(fields["serial"], to: fields["to"], reason: fields["reason"])
    case .edit: try await edit(fields)
    case .archive: try await archive(fields)
    case .restore: try await setRecord(.active, of: fields["serial"])
    case .settle: try await settle(fields)
    case .simulate: try await simulate(try liveAction(fields))
    case .live: try await refuse(try liveAction(fields))
    case .saveLayout: try await saveLayout(fields)
    case .removeLayout: try await removeLayout(fields["layout"])
    case .exportPreload: try await exportPreload(fields["project"])
    case .exportServiceDesk: try await exportServiceDesk(fields["project"])
    case .exportRecords: try await exportRecords()
    case .startScenario: try startScenario(fields["scenario"])
    case .nextStep: try await nextStep()
    case .reset: try await reset(fields)
    }
  }

  // MARK: - Changes

  /// Judges, keeps and applies a change, and says that it was done.
  @discardableResult
  func change(
    _ judge: @escaping @MainActor (DeploymentState) throws(DeploymentRefusal) -> DeploymentChange
  ) async throws(DeploymentRefusal) -> DeploymentChange? {
    do throws(DeploymentStore.Failure) {
      let change = try await store.change(judge)
      screen.notice = DeploymentScreen.Notice(tone: .success, text: "\(change.subject): \(change.detail)")
      return change
    } catch {
      try say(error)
      return nil
    }
  }

  /// Throws what was refused; what storage failed at becomes the notice.
  func say(_ failure: DeploymentStore.Failure) throws(DeploymentRefusal) {
    switch failure {
    case .refused(let refusal): throw refusal
    case .storage(let error):
      context.logger.warning("a change was not kept", error: error)
      screen.notice = DeploymentScreen.Notice(
        tone: .error, text: "It was not kept, so nothing has changed: \(error).",
        advice: "Try again; if it goes on, the supervisor's log says why.")
    }
  }

  /// Goes back to the seed, if the word was typed.
  private func reset(_ fields: Fields) async throws(DeploymentRefusal) {
    guard TypedConfirmation(of: "reset").isGiven(in: fields.payload) else { throw .notConfirmed }
    do throws(DeploymentStore.Failure) { try await store.reset() } catch { return try say(error) }
    screen = DeploymentScreen(workspace: .administration)
    screen.notice = DeploymentScreen.Notice(
      tone: .success, text: "The demo's data are as they were at first.")
  }
}
