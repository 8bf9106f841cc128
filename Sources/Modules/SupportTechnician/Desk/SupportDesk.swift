internal import ForsettiModuleKit

/// The desk of one technician or several: they all see the same one. What it does stands in its extensions.
@MainActor
final class SupportDesk: ViewDesk {
  let context: ForsettiContext
  /// Requests to Jamf Pro in this module's name.
  let jamf: JamfClient
  let journal: OperationJournal
  let admin: TemporaryAdminBook
  let applications: ApplicationBook
  /// Who is in the groups that give administrator rights: one editor, for its changes follow each other.
  let groups: StaticGroupEditor
  private let desk: ModuleDesk
  private(set) var state = SupportState()

  /// The search that is under way.
  var searchTask: Task<Void, Never>?
  /// Reads the page that is open.
  var pageTask: Task<Void, Never>?
  /// Asks what became of orders, while there are any to ask for.
  var followTask: Task<Void, Never>?
  /// Orders that Jamf has not answered yet.
  var claims: Set<Claim> = []
  /// Macs whose request for rights is being written down.
  var adminWrites: Set<SupportDeviceID> = []
  /// Hides the secret on the screen.
  var hideTask: Task<Void, Never>?
  /// Pending orders that were last told of.
  private var toldPending: Int?
  /// Listens to whoever has missed that number.
  private var questions: SubscriptionToken?

  /// A desk with the services of its module.
  convenience init(context: ForsettiContext) {
    // Asked for beforehand: whoever runs without it has said so, and needs no warning.
    let storage = context.grantedCapabilities.contains(.storage) ? context.services.storage : nil
    self.init(context: context, storage: storage, jamf: JamfClient(context: context))
  }

  init(context: ForsettiContext, storage: (any StorageService)?, jamf: JamfClient) {
    self.context = context
    self.jamf = jamf
    journal = OperationJournal(storage: storage)
    admin = TemporaryAdminBook(storage: storage)
    applications = ApplicationBook(storage: storage)
    groups = StaticGroupEditor(jamf: jamf)
    desk = ModuleDesk(context: context)
  }

  func draw() -> ViewNode {
    SupportView(
      state: state, operations: journal.operations, admin: admin.config, adminRuns: admin.runs,
      applications: applications.runs, now: WallClock.now()
    ).node
  }

  /// Takes up the orders of before, and listens from then on.
  func open() async throws {
    // Without its journal it would do twice what is under way, so it does not start.
    let unreadable = try await journal.load() + admin.load() + applications.load()
    if !unreadable.isEmpty {
      context.logger.warning(
        "entries that can't be read are left out; they stay in storage, some below damaged/",
        metadata: ["count": "\(unreadable.count)"])
    }
    try await desk.on("search") { [weak self] payload in self?.search(payload) }
    try await desk.on("cancel") { [weak self] _ in self?.cancelSearch() }
    try await desk.on("open") { [weak self] payload in self?.openPage(payload) }
    try await desk.on("reload") { [weak self] payload in self?.openPage(payload) }
    try await desk.on("close") { [weak self] _ in self?.closePage() }
    try await desk.on("leave") { [weak self] _ in self?.change { $0.page?.chosen = nil } }
    try await desk.on("share") { [weak self] payload in await self?.share(payload) }
    try await desk.on("perform") { [weak self] payload in self?.perform(payload) }
    try await desk.on("set-password") { [weak self] payload in self?.setLocalPassword(payload) }
    try await desk.on("attach") { [weak self] payload in self?.attachNote(payload) }
    try await desk.on("prepare") { [weak self] payload in self?.prepareRemote(payload) }
    try await desk.on("end") { [weak self] payload in self?.endRemote(payload) }
    try await desk.on("leave-on") { [weak self] payload in await self?.leaveRemote(payload) }
    try await desk.on("aim") { [weak self] payload in self?.aim(payload) }
    try await desk.on("application") { [weak self] payload in await self?.changeApplication(payload) }
    try await desk.on("elevate") { [weak self] payload in await self?.requestAdmin(payload) }
    try await desk.on("demote") { [weak self] payload in await self?.demoteAdmin(payload) }
    try await desk.on("configure-admin") { [weak self] payload in await self?.configureAdmin(payload) }
    try await desk.on("reveal") { [weak self] payload in self?.reveal(payload) }
    try await desk.on("hide") { [weak self] _ in self?.hide() }
    try await desk.on("refresh") { [weak self] _ in await self?.lookNow() }
    questions = context.subscribeToMessages("\(context.moduleID).pending.ask") { [weak self] _ in
      self?.toldPending = nil
      await self?.tellPending()
    }
    if journal.pendingCount > 0 { await tellPending() }
    follow()
  }

  /// Ends what is under way. Orders go on in Jamf, and the journal has them.
  func close() {
    searchTask?.cancel()
    pageTask?.cancel()
    followTask?.cancel()
    hideTask?.cancel()
    questions?.cancel()
    desk.close()
  }

  /// Changes what is shown.
  func change(_ body: (inout SupportState) -> Void) {
    body(&state)
    desk.changed()
  }

  /// Tells the others how many orders are pending, where it is another number than before or somebody asks.
  func tellPending() async {
    desk.changed()
    let count = journal.pendingCount
    guard count != toldPending else { return }
    toldPending = count
    do throws(ForsettiContextError) {
      try await context.publishEvent(type: "\(context.moduleID).pending", payload: ["count": "\(count)"])
    } catch {
      context.logger.debug("the number of pending orders was not told", metadata: ["why": "\(error)"])
    }
  }
}
