internal import ForsettiModuleKit

/// What operators do here, one thing at a time, and what they see of it.
@MainActor
final class PrestageDesk: ViewDesk {
  var state = PrestageState()
  let context: ForsettiContext
  let jamf: PrestageClient
  let journal: ScopeJournal?
  private let desk: ModuleDesk
  private var plans = 0
  private var reading: Task<Void, Never>?
  private var wasSeen = false
  private var provider: SubscriptionToken?
  /// How often somebody has come back who can be asked for Jamf.
  var providerReturns = 0
  /// Whether the storage did not say what was under way before: nothing is written over it until it does.
  var isJournalUnread = false

  init(context: ForsettiContext) {
    self.context = context
    jamf = PrestageClient(JamfClient(context: context))
    journal = context.services.storage.map { ScopeJournal($0) }
    desk = ModuleDesk(context: context)
  }

  /// Listens from then on, and goes on with what was left half-done.
  func open() async throws {
    try await desk.on("refresh") { [weak self] _ in await self?.refresh() }
    try await desk.on("open") { [weak self] in await self?.open($0["id"] ?? "") }
    try await desk.on("close") { [weak self] _ in self?.update { $0.opened = nil } }
    try await desk.on("filter") { [weak self] in await self?.filter($0["text"] ?? "") }
    try await desk.on("page") { [weak self] in await self?.turn(to: $0["page"] ?? "") }
    try await desk.on("find") { [weak self] in await self?.find($0["serials"] ?? "") }
    try await desk.on("plan-move") { [weak self] in
      await self?.planMove($0["serials"] ?? "", to: $0["destination"] ?? "")
    }
    try await desk.on("plan-removal") { [weak self] in await self?.planRemoval($0["serials"] ?? "") }
    try await desk.on("discard") { [weak self] _ in self?.update { $0.plan = nil } }
    try await desk.on("apply") { [weak self] in await self?.apply($0) }
    try await desk.on("cancel") { [weak self] _ in self?.cancel() }
    try await desk.on("finish") { [weak self] _ in await self?.takeUp(.forward) }
    try await desk.on("roll-back") { [weak self] _ in await self?.takeUp(.back) }
    try await desk.on("leave") { [weak self] in await self?.leave($0) }
    try await desk.on("share") { [weak self] _ in self?.share() }
    try await desk.on("export") { [weak self] _ in await self?.export() }
    try await desk.on("dismiss") { [weak self] _ in self?.dismiss() }
    provider = try await context.subscribe(to: "forsetti.lifecycle.provider_returned") { [weak self] event in
      guard event.payload["role"] == "api" else { return }
      await self?.providerReturned()
    }
    await resume()
  }

  /// Draws what is in memory, and reads the PreStages when somebody looks for the first time; the view is not kept waiting.
  func draw() -> ViewNode {
    readOnFirstLook()
    return PrestageView(state: state, type: type).tree
  }

  private func readOnFirstLook() {
    // Under way may be a job from the journal; the view is drawn anew when that is over.
    guard !wasSeen, state.work == nil else { return }
    wasSeen = true
    guard state.prestages == nil else { return }
    Task { [weak self] in await self?.refresh() }
  }

  func close() {
    reading?.cancel()
    provider?.cancel()
    desk.close()
  }

  /// The event type of a verb.
  func type(_ verb: String) -> String { desk.type(verb) }

  /// Changes what is shown.
  func update(_ change: (inout PrestageState) -> Void) {
    change(&state)
    desk.changed()
  }

  func fail(_ what: String, _ advice: String) {
    update { $0.notice = .failed(what: what, advice: advice) }
  }

  // MARK: - One thing at a time

  /// Begins something that takes its time; false where something else is under way.
  func begin(_ title: String) -> Bool {
    guard state.work == nil else {
      fail("\(state.work?.title ?? "Something") is under way.", "Wait for it, or cancel it.")
      return false
    }
    update {
      $0.work = PrestageState.Work(title: title)
      $0.notice = nil
    }
    return true
  }

  func end() { update { $0.work = nil } }

  func progress(_ title: String, _ done: Int, of all: Int) {
    update {
      $0.work?.title = title
      $0.work?.fraction = all > 0 ? Double(done) / Double(all) : nil
    }
  }

  /// Reads something from Jamf, which may be called off at any moment.
  func read(_ title: String, _ body: @escaping @MainActor () async throws(JamfFailure) -> Void) async {
    guard begin(title) else { return }
    let task = Task { @MainActor [weak self] in
      do throws(JamfFailure) { try await body() } catch { self?.fail(error.what, error.advice) }
    }
    reading = task
    await task.value
    reading = nil
    end()
  }

  /// Reading ends at once; a change goes its way back.
  private func cancel() {
    guard state.work != nil else { return }
    reading?.cancel()
    update { $0.work?.isCalledOff = true }
  }

  private func dismiss() {
    update {
      $0.notice = nil
      $0.outcome = nil
      $0.shared = nil
      $0.found = nil
    }
  }

  /// The number of the next plan: a confirmation counts for one plan alone.
  func nextPlanNumber() -> Int {
    plans += 1
    return plans
  }
}
