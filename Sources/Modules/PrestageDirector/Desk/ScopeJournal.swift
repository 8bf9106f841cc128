internal import ForsettiModuleKit

/// Keeps the job under way, so that it is not lost with the process.
@MainActor
struct ScopeJournal {
  private let storage: any StorageService

  private static let store = "forsetti-prestage-director"
  private static let key = "job"
  private static let damagedKey = "job.damaged"

  init(_ storage: any StorageService) { self.storage = storage }

  /// The job that was left; nothing as a rule, and nothing where one had come to its end and could not be removed. A record that is none is set aside, for somebody who can read it: the next
  /// job would be written over it.
  func read() async throws -> ScopeRecord? {
    guard let text = try await storage.value(forKey: Self.key, in: Self.store) else { return nil }
    do {
      let record = try ScopeRecord(text: text)
      return record.isOver ? nil : record
    } catch {
      try await storage.set(text, forKey: Self.damagedKey, in: Self.store)
      throw error
    }
  }

  /// Returned means kept: it survives the end of any process.
  func keep(_ record: ScopeRecord) async throws(ServiceError) {
    try await storage.set(record.text, forKey: Self.key, in: Self.store)
  }

  /// Removes a job that has come to its end, or marks it as over where it can't be removed: somebody may have moved its
  /// devices on by the next start, which must not take it up again.
  func finish(_ record: ScopeRecord) async throws(ServiceError) {
    do throws(ServiceError) { try await storage.removeValue(forKey: Self.key, in: Self.store) } catch {
      try await keep(record.over)
    }
  }
}
