internal import ForsettiModuleKit

/// Keeps the job under way, so that it is not lost with the process.
@MainActor
struct ScopeJournal {
  private let storage: any StorageService

  private static let store = "forsetti-prestage-director"
  private static let key = "job"

  init(_ storage: any StorageService) { self.storage = storage }

  /// The job that was left; nothing as a rule.
  func read() async throws -> ScopeRecord? {
    guard let text = try await storage.value(forKey: Self.key, in: Self.store) else { return nil }
    return try ScopeRecord(text: text)
  }

  /// Returned means kept: it survives the end of any process.
  func keep(_ record: ScopeRecord) async throws(ServiceError) {
    try await storage.set(record.text, forKey: Self.key, in: Self.store)
  }

  func clear() async throws(ServiceError) { try await storage.removeValue(forKey: Self.key, in: Self.store) }
}
