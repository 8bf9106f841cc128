internal import ForsettiModuleKit

/// The operator's side of a module: what its buttons and forms ask, and the word that its view has changed.
///
/// A button of the verb `search` publishes `<moduleID>.search` in the module's own name (`type`), and the desk hands its
/// payload to whoever handles that verb. What the same type says from anybody else is passed over.
@MainActor final class ModuleDesk {
  private let context: ForsettiContext
  private var subscriptions: [SubscriptionToken] = []
  private var isChanged = false
  private var announcement: Task<Void, Never>?

  init(context: ForsettiContext) { self.context = context }

  /// Handles `<moduleID>.<verb>`, one after the other for each verb; verbs don't wait for each other (so "cancel" is
  /// heard while "search" works).
  func on(_ verb: String, _ body: @escaping @MainActor ([String: String]) async -> Void) async throws {
    let ownID = context.moduleID
    let subscription = try await context.subscribe(to: type(verb)) { event in
      guard event.sourceModuleID == ownID else { return }
      await body(event.payload.dictionary)
    }
    subscriptions.append(subscription)
  }

  /// Says once that the view is to be drawn anew (`<moduleID>.changed`); several in one turn are one.
  func changed() {
    isChanged = true
    guard announcement == nil else { return }
    announcement = Task { [weak self] in await self?.announce() }
  }

  /// Returns once all changes so far have been told of.
  func told() async { await announcement?.value }

  /// Ends it: nothing more is handled, and no change is told of.
  func close() {
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    announcement?.cancel()
    isChanged = false
  }

  /// The event type of a verb, for buttons and forms.
  nonisolated static func type(_ verb: String, of moduleID: String) -> String { moduleID + "." + verb }

  /// The event type of a verb of this module.
  func type(_ verb: String) -> String { Self.type(verb, of: context.moduleID) }

  /// What changes while a word waits for room in the pipe is told of by the next.
  private func announce() async {
    while isChanged {
      isChanged = false
      do throws(ForsettiContextError) { try await context.publishEvent(type: type("changed")) } catch {
        context.logger.debug("a change of the view was not told of", metadata: ["reason": "\(error)"])
      }
    }
    announcement = nil
  }
}
