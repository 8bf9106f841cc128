public import ForsettiCore
import Synchronization

/// Desired state that ends with the process, for tests and for programs that keep none.
public final class InMemoryActivationStore: ActivationStore {
  private let state: Mutex<ActivationState?>

  /// Makes a store; `nil` stands for one that nothing was saved in.
  public init(_ state: ActivationState? = nil) { self.state = Mutex(state) }

  /// The desired state; `nil` before the first save.
  public func activation() -> ActivationState? { state.withLock { $0 } }

  /// Replaces the desired state.
  public func saveActivation(_ state: ActivationState) { self.state.withLock { $0 = state } }
}

/// Registrations that end with the process.
public final class InMemoryModuleRegistrationStore: ModuleRegistrationStore {
  private let records = Mutex<[String: ModuleRegistrationRecord]>([:])

  /// Makes an empty store.
  public init() {}

  /// The record of a module; IDs compare without case.
  public func record(moduleID: String) -> ModuleRegistrationRecord? {
    records.withLock { $0[moduleID.lowercased()] }
  }

  /// All records, sorted by module ID.
  public func allRecords() -> [ModuleRegistrationRecord] {
    records.withLock { $0.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value) }
  }

  /// Saves a record instead of an earlier one.
  public func saveRecord(_ record: ModuleRegistrationRecord) {
    records.withLock { $0[record.moduleID.lowercased()] = record }
  }

  /// Forgets a module's registration.
  public func removeRecord(moduleID: String) {
    records.withLock { _ = $0.removeValue(forKey: moduleID.lowercased()) }
  }
}
