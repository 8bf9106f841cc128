internal import ForsettiModuleKit

/// The demo's data, and their journal in the module's own store. What it has acknowledged is kept.
@MainActor final class DeploymentStore {
  /// Why a change is not there.
  enum Failure: Error, Sendable {
    case refused(DeploymentRefusal)
    case storage(ServiceError)
  }

  private(set) var state = DeploymentSeed.state()
  /// What is wrong with what was kept; nothing can be changed then but by a reset.
  private(set) var fault: String?

  private var journal = DeploymentJournal()
  private let storage: any StorageService
  private let name: String
  private var last: Task<Void, Never>?

  init(storage: any StorageService, store name: String) {
    self.storage = storage
    self.name = name
  }

  /// Reads what was kept. A page that can't be read ends it, and nothing is written over.
  func load() async throws(ServiceError) {
    let head = try await storage.value(forKey: DeploymentJournal.headKey, in: name) ?? "1"
    guard let generation = DeploymentJournal.generation(of: head) else {
      // A reset must begin a generation of which nothing is there.
      let keys = try await storage.keys(prefix: DeploymentJournal.pagePrefix, after: nil, in: name)
      journal = DeploymentJournal(
        generation: keys.compactMap(DeploymentJournal.generation(ofKey:)).max() ?? 1)
      fault = "The head of the demo's journal can't be read."
      return
    }
    journal = DeploymentJournal(generation: generation)
    var number = 1
    while number <= DeploymentJournal.pageLimit,
      let text = try await storage.value(forKey: journal.key(of: number), in: name)
    {
      do throws(JSONFault) {
        for change in try journal.read(page: number, text) { state.apply(change) }
      } catch {
        fault = "Page \(number) of the demo's journal can't be read: \(error.reason)."
        return
      }
      number += 1
    }
    try await sweep()
  }

  /// Judges a change by the data as they are when its turn comes, keeps it, then applies it.
  func change(
    _ judge: @escaping @MainActor (DeploymentState) throws(DeploymentRefusal) -> DeploymentChange
  ) async throws(Failure) -> DeploymentChange {
    try await inTurn { [self] () throws(Failure) in
      guard fault == nil else { throw .refused(.journalUnreadable) }
      let change: DeploymentChange
      let next: (journal: DeploymentJournal, entry: DeploymentJournal.Entry)
      do throws(DeploymentRefusal) {
        change = try judge(state)
        next = try journal.adding(change)
      } catch { throw .refused(error) }
      do throws(ServiceError) {
        try await storage.set(next.entry.text, forKey: next.entry.key, in: name)
      } catch { throw .storage(error) }
      journal = next.journal
      state.apply(change)
      return change
    }
  }

  /// Goes back to the seed. One write decides; the old pages are swept away behind it.
  func reset() async throws(Failure) {
    try await inTurn { [self] () throws(Failure) in
      let generation = journal.generation + 1
      do throws(ServiceError) {
        try await storage.set("\(generation)", forKey: DeploymentJournal.headKey, in: name)
      } catch { throw .storage(error) }
      journal = DeploymentJournal(generation: generation)
      state = DeploymentSeed.state()
      fault = nil
      // The next start sweeps what is left now.
      do throws(ServiceError) { try await sweep() } catch {}
    }
  }

  /// Removes the pages of generations before this one.
  private func sweep() async throws(ServiceError) {
    let keys = try await storage.keys(prefix: DeploymentJournal.pagePrefix, after: nil, in: name)
    for key in keys where !journal.owns(key) { try await storage.removeValue(forKey: key, in: name) }
  }

  /// One after the other, whatever asks: what is judged must not be changed by another before it is kept.
  private func inTurn<Value: Sendable>(
    _ body: @escaping @MainActor () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let before = last
    let turn = Task { () -> Result<Value, Failure> in
      await before?.value
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    last = Task { _ = await turn.value }
    return try await turn.value.get()
  }
}
