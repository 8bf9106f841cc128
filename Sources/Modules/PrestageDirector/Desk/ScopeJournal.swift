internal import ForsettiModuleKit

/// Keeps the job under way, so that it is not lost with the process.
@MainActor
struct ScopeJournal {
  private let storage: any StorageService

  private static let store = "forsetti-prestage-director"
  private static let key = "job"
  private static let damagedKey = "job.damaged"

  init(_ storage: any StorageService) { self.storage = storage }

  /// The job that was left; nothing as a rule. A record that is none is set aside, for somebody who can read it: the next
  /// job would be written over it.
  func read() async throws -> ScopeRecord? {
    guard let text = try await storage.value(forKey: Self.key, in: Self.store) else { return nil }
    do { return try ScopeRecord(text: text) } catch {
      try await storage.set(text, forKey: Self.damagedKey, in: Self.store)
      throw error
    }
  }

  /// Returned means kept: it survives the end of any process.
  func keep(_ record: ScopeRecord) async throws(ServiceError) {
    try await storage.set(record.text, forKey: Self.key, in: Self.store)
  }

  func clear() async throws(ServiceError) { try await storage.removeValue(forKey: Self.key, in: Self.store) }
}
