import Synchronization

/// Everything is unlocked, always.
public struct AllowAllEntitlementProvider: EntitlementProvider {
  private let broadcast = ChangeBroadcast()

  /// Makes a provider.
  public init() {}

  /// True.
  public func isUnlocked(moduleID: String, productID: String?) async -> Bool { true }

  /// Nothing can have changed.
  public func refreshEntitlements() async {}

  /// A stream that stays silent.
  public func entitlementsDidChangeStream() -> AsyncStream<Void> { broadcast.stream() }
}

/// What a policy, or a program around the runtime, names is unlocked, until it says otherwise.
public final class StaticEntitlementProvider: EntitlementProvider {
  private let entitlements: Mutex<Entitlements>
  private let broadcast = ChangeBroadcast()

  /// Makes a provider.
  public init(_ entitlements: Entitlements = Entitlements()) {
    self.entitlements = Mutex(entitlements)
  }

  /// Whether the module, or its product, is named.
  public func isUnlocked(moduleID: String, productID: String?) async -> Bool {
    entitlements.withLock { $0.isUnlocked(moduleID: moduleID, productID: productID) }
  }

  /// Nothing can have changed but by `replace`.
  public func refreshEntitlements() async {}

  /// A stream for one subscriber.
  public func entitlementsDidChangeStream() -> AsyncStream<Void> { broadcast.stream() }

  /// Replaces what is unlocked; subscribers hear of it if that is a change.
  public func replace(_ new: Entitlements) {
    let isChange = entitlements.withLock { old in
      defer { old = new }
      return old != new
    }
    if isChange { broadcast.send() }
  }
}
