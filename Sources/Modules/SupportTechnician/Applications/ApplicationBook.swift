internal import ForsettiModuleKit

/// Orders for applications, newest last, kept in storage.
@MainActor
final class ApplicationBook {
  private(set) var runs: [ApplicationRun] = []
  private let storage: (any StorageService)?

  /// Orders that are remembered; those with something left to do always are.
  static let limit = 50
  private static let store = "forsetti-support-technician"
  private static let prefix = "application/"

  init(storage: (any StorageService)?) { self.storage = storage }

  /// Reads what was kept, and takes that this module began anew. What can't be read is left out, and named.
  func load() async throws(ServiceError) -> [String] {
    guard let storage else { return [] }
    var unreadable: [String] = []
    for key in try await storage.keys(prefix: Self.prefix, after: nil, in: Self.store) {
      guard let text = try await storage.value(forKey: key, in: Self.store) else { continue }
      do throws(JSONFault) {
        var run = try ApplicationRun(id: String(key.dropFirst(Self.prefix.count)), text: text)
        run.take(.interrupted)
        runs.append(run)
      } catch { unreadable.append(key) }
    }
    return unreadable
  }

  /// Writes an order down. It may be done only if this returns.
  func begin(_ run: ApplicationRun) async throws(ServiceError) {
    try await write(run)
    runs.append(run)
    while runs.count > Self.limit, let old = runs.first(where: { !$0.isOpen && $0.state != .preparing }) {
      do throws(ServiceError) {
        try await storage?.removeValue(forKey: Self.prefix + old.id, in: Self.store)
      } catch { return }
      runs.removeAll { $0.id == old.id }
    }
  }

  /// Takes what happened to an order, and keeps it. What is in memory holds even where storage fails.
  func take(_ event: ApplicationRun.Event, of id: String) async throws(ServiceError) {
    guard let index = runs.firstIndex(where: { $0.id == id }) else { return }
    let before = runs[index]
    runs[index].take(event)
    if runs[index] != before { try await write(runs[index]) }
  }

  private func write(_ run: ApplicationRun) async throws(ServiceError) {
    try await storage?.set(run.text, forKey: Self.prefix + run.id, in: Self.store)
  }
}
