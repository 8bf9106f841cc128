import ForsettiCore
import ForsettiRuntime

/// The provider that the policy names.
enum EntitlementInput {
  /// Makes it. A file is read once now; its faults go to `onFault`.
  /// - Parameter isWatching: keep reading the file as it changes, for a supervisor that stays.
  static func provider(
    _ source: EntitlementSource, policyPath: String, isWatching: Bool = false,
    onFault: @escaping @ReactorActor (EntitlementFault) -> Void = { _ in }
  ) async throws(CommandFailure) -> any EntitlementProvider {
    switch source {
    case .allowAll: return AllowAllEntitlementProvider()
    case .fixed(let moduleIDs, let productIDs):
      return StaticEntitlementProvider(Entitlements(moduleIDs: moduleIDs, productIDs: productIDs))
    case .file(let path):
      let file: FileEntitlementProvider
      do {
        file = try await FileEntitlementProvider(
          path: absolute(path, besides: policyPath), onFault: onFault)
      } catch {
        throw CommandFailure(status: .osError, message: "entitlements: \(error)")
      }
      if isWatching { await file.start() } else { await file.refreshEntitlements() }
      return file
    }
  }

  /// A relative path starts at the policy's folder.
  static func absolute(_ path: String, besides policyPath: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    let folder = policyPath.lastIndex(of: "/").map { String(policyPath[...$0]) } ?? ""
    return WorkingFolder.absolute(folder + path)
  }
}
