internal import ForsettiModuleKit

/// What was ordered, newest first, kept in storage: each order is there before it is sent, so no crash can make one that
/// nobody knows of.
@MainActor
final class OperationJournal {
  private(set) var operations: [SupportOperation] = []
  private let storage: (any StorageService)?

  /// Orders that are kept.
  static let limit = 100
  private static let store = "forsetti-support-technician"
  private static let prefix = "operation/"

  init(storage: (any StorageService)?) { self.storage = storage }

  /// Orders whose end is still to come.
  var pendingCount: Int { operations.count { $0.isPending } }

  /// Reads what was kept, and takes that this module began anew. Orders that can't be read are left out, and named.
  func load() async throws(ServiceError) -> [String] {
    guard let storage else { return [] }
    var unreadable: [String] = []
    let keys = try await storage.keys(prefix: Self.prefix, after: nil, in: Self.store)
    for key in keys {
      guard let text = try await storage.value(forKey: key, in: Self.store) else { continue }
      do throws(JSONFault) {
        var operation = try SupportOperation(id: String(key.dropFirst(Self.prefix.count)), text: text)
        let before = operation
        operation.take(.interrupted)
        operations.insert(operation, at: 0)
        // Where this can't be kept, the next start will say the same.
        if operation != before { try? await write(operation) }
      } catch { unreadable.append(key) }
    }
    return unreadable
  }

  /// Writes a new order down. It may be sent only if this returns.
  func begin(_ operation: SupportOperation) async throws(ServiceError) {
    try await write(operation)
    operations.insert(operation, at: 0)
    await forgetOldest()
  }

  /// Forgets the oldest orders that have ended. One that can't be removed is tried again with the next order.
  private func forgetOldest() async {
    while operations.count > Self.limit, let last = operations.last, !last.isPending {
      do throws(ServiceError) {
        try await storage?.removeValue(forKey: Self.prefix + last.id, in: Self.store)
      } catch { return }
      operations.removeAll { $0.id == last.id }
    }
  }

  /// Takes what happened to an order, and keeps it. What is in memory holds even where storage fails.
  /// - Returns: the order as it is now; nothing where there is none of this ID.
  @discardableResult
  func take(_ event: SupportOperation.Event, of id: String) async throws(ServiceError) -> SupportOperation? {
    guard let index = operations.firstIndex(where: { $0.id == id }) else { return nil }
    let before = operations[index]
    operations[index].take(event)
    let now = operations[index]
    if now != before { try await write(now) }
    return now
  }

  private func write(_ operation: SupportOperation) async throws(ServiceError) {
    try await storage?.set(operation.text, forKey: Self.prefix + operation.id, in: Self.store)
  }
}
