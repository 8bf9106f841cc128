import ForsettiModuleKit
import Synchronization

/// A storage in memory, which fails when it is told to, and which the next module finds as the last one left it.
final class MemoryStorage: StorageService {
  private struct State {
    var values: [String: String] = [:]
    var failure: ServiceError?
    var writes = 0
  }

  private let state = Mutex(State())

  /// What every write comes to from here on.
  func fail(with failure: ServiceError?) { state.withLock { $0.failure = failure } }

  /// All stores together, as `store/key`.
  var values: [String: String] { state.withLock { $0.values } }

  /// Calls that changed something.
  var writes: Int { state.withLock { $0.writes } }

  nonisolated(nonsending) func set(_ value: String, forKey key: String, in store: String?)
    async throws(ServiceError)
  {
    try change { $0["\(store ?? "")/\(key)"] = value }
  }

  nonisolated(nonsending) func removeValue(forKey key: String, in store: String?) async throws(ServiceError) {
    try change { $0["\(store ?? "")/\(key)"] = nil }
  }

  nonisolated(nonsending) func value(forKey key: String, in store: String?) async throws(ServiceError)
    -> String?
  {
    values["\(store ?? "")/\(key)"]
  }

  nonisolated(nonsending) func keys(prefix: String, after cursor: String?, in store: String?)
    async throws(ServiceError) -> [String]
  {
    let folder = "\(store ?? "")/"
    let found = values.keys.filter { $0.hasPrefix(folder + prefix) }.map {
      String($0.dropFirst(folder.count))
    }
    return Array(found.sorted().filter { key in cursor.map { key > $0 } ?? true }.prefix(1_000))
  }

  private func change(_ body: (inout [String: String]) -> Void) throws(ServiceError) {
    let failure = state.withLock { state -> ServiceError? in
      guard state.failure == nil else { return state.failure }
      state.writes += 1
      body(&state.values)
      return nil
    }
    if let failure { throw failure }
  }
}
