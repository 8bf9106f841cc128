/// Says which modules are unlocked (seed "Modules": "the entitlement provider decides").
public protocol EntitlementProvider: Sendable {
  /// Whether a module may run now. One without a product always may.
  func isUnlocked(moduleID: String, productID: String?) async -> Bool

  /// Asks the source again; subscribers hear of it if anything changed.
  func refreshEntitlements() async

  /// A stream of its own for each caller: one element whenever what is unlocked may have changed.
  /// No element is lost or merged, and none tells of what was before the call.
  func entitlementsDidChangeStream() -> AsyncStream<Void>

  /// Brings back what was bought elsewhere, for sources that know of such a thing.
  func restorePurchases() async throws
}

extension EntitlementProvider {
  /// Nothing to restore.
  public func restorePurchases() async throws {}
}

/// What is unlocked. Module IDs compare without case.
public struct Entitlements: Sendable, Hashable {
  /// Folded; see `init`.
  private let moduleIDs: Set<String>
  private let productIDs: Set<String>

  /// Makes a set; the default unlocks nothing but what has no product.
  public init(moduleIDs: some Sequence<String> = [], productIDs: some Sequence<String> = []) {
    self.moduleIDs = Set(moduleIDs.map { $0.lowercased() })
    self.productIDs = Set(productIDs)
  }

  /// Whether a module may run: it has no product, or it or its product is named.
  public func isUnlocked(moduleID: String, productID: String?) -> Bool {
    guard let productID else { return true }
    return productIDs.contains(productID) || moduleIDs.contains(moduleID.lowercased())
  }
}
