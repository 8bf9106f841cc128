internal import ForsettiModuleKit

/// Keeps what is known of the others, and does what the toolbar asks.
@MainActor final class RetailDesk {
  private let context: ForsettiContext
  private let desk: ModuleDesk
  private var subscriptions: [SubscriptionToken] = []
  private var firstLook: Task<Void, Never>?
  private var question: Task<Void, Never>?
  private var mustAskAgain = false
  private(set) var state = RetailState()

  /// Errors and warnings that are shown at most.
  private static let errorLimit = 10
  /// How long diagnostics may take to answer; the home view is there before.
  private static let patience = Duration.seconds(5)

  init(context: ForsettiContext) {
    self.context = context
    desk = ModuleDesk(context: context)
    state.hear(.presence(.active, moduleID: context.moduleID))
  }

  /// Listens first and asks then, so that nothing is missed in between.
  func open() async throws {
    try await desk.on("refresh") { [weak self] _ in await self?.refresh() }
    try await desk.on("export") { [weak self] _ in await self?.export() }
    for pattern in RetailNews.patterns { try await listen(to: pattern) }
    for type in RetailNews.answers {
      subscriptions.append(context.subscribeToMessages(type) { [weak self] in await self?.hear($0) })
    }
    if !context.grantedCapabilities.contains(.diagnostics) {
      state.take(.unavailable("The policy does not grant this module diagnostics."))
    }
    firstLook = Task { [weak self] in await self?.refresh() }
  }

  func close() {
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    firstLook?.cancel()
    question?.cancel()
    desk.close()
  }

  // MARK: - Hearing

  private func listen(to pattern: String) async throws {
    do throws(ServiceError) {
      let subscription = try await context.subscribe(to: pattern) { [weak self] in await self?.hear($0) }
      subscriptions.append(subscription)
    } catch {
      guard case .serviceDenied = error else { throw error }
      context.logger.info("runs without news of \(pattern): the policy lets it hear none")
    }
  }

  private func hear(_ event: ForsettiEvent) async {
    guard let news = RetailNews(event.type, event.payload.dictionary, from: event.sourceModuleID) else {
      return
    }
    state.hear(news)
    desk.changed()
    switch news {
    case .presence(.active, let moduleID): await ask(moduleID)
    case .diagnosticsChanged: askForErrors()
    case .presence, .connection, .pendingCommands: break
    }
  }

  // MARK: - Asking

  /// Asks for everything that can be asked for.
  private func refresh() async {
    state.notice = nil
    for entry in RetailCatalogue.entries where !Task.isCancelled { await ask(entry.moduleID) }
    askForErrors()
    desk.changed()
  }

  /// Finds out whether a module runs, and has it say again what it tells of itself: a message reaches whoever is active
  /// and nobody else.
  private func ask(_ moduleID: String) async {
    guard moduleID != context.moduleID, RetailCatalogue.has(moduleID) else { return }
    let earlier = state.presence(of: moduleID)
    let found: RetailState.Presence
    do throws(ServiceError) {
      try await context.sendMessage(to: moduleID, type: RetailNews.question(to: moduleID))
      found = .active
    } catch {
      guard case .targetUnavailable = error else {
        if error != .cancelled {
          context.logger.info("can't ask \(moduleID)", metadata: ["reason": "\(error)"])
        }
        return
      }
      found = earlier == .ended ? .ended : .inactive
    }
    state.find(found, of: moduleID, insteadOf: earlier)
    if moduleID == RetailCatalogue.diagnostics { askForErrors() }
    desk.changed()
  }

  /// Asks diagnostics, once at a time: while it answers, any number of changes is one more question.
  private func askForErrors() {
    mustAskAgain = true
    guard question == nil, context.grantedCapabilities.contains(.diagnostics) else { return }
    question = Task { [weak self] in
      while let self, mustAskAgain, !Task.isCancelled {
        mustAskAgain = false
        state.take(await recentErrors())
        desk.changed()
      }
      self?.question = nil
    }
  }

  private func recentErrors() async -> RetailState.RecentErrors {
    let diagnostics = context.services(timeout: Self.patience).diagnostics
    do throws(ServiceError) {
      let filter = DiagnosticFilter(atLeast: .warning, limit: Self.errorLimit)
      return .known(try await diagnostics?.events(filter) ?? [])
    } catch { return .unavailable("\(error)") }
  }

  // MARK: - Exporting

  /// Writes what the home view shows as a file.
  private func export() async {
    let now = WallClock.now()
    let text = ViewMarkdown.document(HomeView.node(state))
    let name = ExportFileName.make("forsetti-dashboard", at: now, fileExtension: "md")
    do throws(ServiceError) {
      guard let files = context.services.fileExport else {
        throw .serviceDenied(.notGranted, detail: "file_export")
      }
      let path = try await files.export(Array(text.utf8), suggestedFileName: name)
      state.notice = RetailNotice(text: "The dashboard was written to \(path)", tone: .success)
    } catch {
      state.notice = RetailNotice(text: "Nothing was exported: \(error). \(error.advice)", tone: .error)
    }
    desk.changed()
  }
}
