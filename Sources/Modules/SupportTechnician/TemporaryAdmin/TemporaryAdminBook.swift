internal import ForsettiModuleKit

/// The setting of temporary administrator rights, and the last request for each Mac, kept in storage.
@MainActor
final class TemporaryAdminBook {
  private(set) var config = TemporaryAdminConfig()
  /// Newest last.
  private(set) var runs: [TemporaryAdminRun] = []
  private let storage: (any StorageService)?
  /// What can't be read and is still in its place, by its key.
  private var damaged: [String: String] = [:]
  /// Ends with the change of storage that was asked for last.
  private var last: Task<Void, Never>?

  /// Macs that are remembered; those with something left to do always are.
  static let limit = 50
  /// Copies of what could not be read that are kept, all together.
  static let damagedLimit = 20
  private static let store = "forsetti-support-technician"
  private static let configKey = "temporary-admin-config"
  private static let prefix = "temporary-admin/"
  private static let damagedPrefix = "damaged/"

  init(storage: (any StorageService)?) { self.storage = storage }

  /// Reads what was kept. What can't be read is set aside, and named. Where it can't be set aside either, as with a full
  /// quota, it stays where it is until it can be, and nothing is written over it.
  func load() async throws(ServiceError) -> [String] {
    guard let storage else { return [] }
    var unreadable: [String] = []
    if let text = try await storage.value(forKey: Self.configKey, in: Self.store) {
      if let kept = TemporaryAdminConfig(text: text) {
        config = kept
      } else {
        await takeOut(Self.configKey, text)
        unreadable.append(Self.configKey)
      }
    }
    for key in try await storage.keys(prefix: Self.prefix, after: nil, in: Self.store) {
      guard let text = try await storage.value(forKey: key, in: Self.store) else { continue }
      if let run = try? TemporaryAdminRun(text: text) {
        runs.append(run)
      } else {
        await takeOut(key, text)
        unreadable.append(key)
      }
    }
    runs.sort { $0.requested < $1.requested }
    return unreadable
  }

  private func takeOut(_ key: String, _ text: String) async {
    do throws(ServiceError) { try await setAside(key, text) } catch { damaged[key] = text }
  }

  /// Makes a key free to be written.
  /// - Throws: where it holds what can't be read and can't be set aside yet.
  private func free(_ key: String) async throws(ServiceError) {
    guard let text = damaged[key] else { return }
    try await setAside(key, text)
    damaged[key] = nil
  }

  /// Keeps what can't be read for somebody who can: the next request for the same Mac would be written over it. Each time
  /// under a key of its own, so that nothing that was set aside is written over either; the oldest go where there are many.
  private func setAside(_ key: String, _ text: String) async throws(ServiceError) {
    let place = "\(Self.damagedPrefix)\(EntryID.make(at: WallClock.now()))/\(key)"
    try await storage?.set(text, forKey: place, in: Self.store)
    try await storage?.removeValue(forKey: key, in: Self.store)
    let places = try await storage?.keys(prefix: Self.damagedPrefix, after: nil, in: Self.store) ?? []
    for old in places.filter({ $0 != place }).dropLast(Self.damagedLimit - 1) {
      try await storage?.removeValue(forKey: old, in: Self.store)
    }
  }

  /// Keeps another setting.
  func configure(_ new: TemporaryAdminConfig) async throws(ServiceError) {
    try await free(Self.configKey)
    try await storage?.set(new.text, forKey: Self.configKey, in: Self.store)
    config = new
  }

  /// The last request for a Mac.
  func run(of device: SupportDeviceID) -> TemporaryAdminRun? { runs.last { $0.device == device } }

  /// Writes a request down in place of the last for the same Mac. It may be made only if this returns.
  func begin(_ run: TemporaryAdminRun) async throws(ServiceError) {
    try await inTurn { () throws(ServiceError) in
      try await self.free(Self.prefix + run.device.text)
      try await self.write(run)
      self.runs.removeAll { $0.device == run.device }
      self.runs.append(run)
      await self.forgetOldest()
    }
  }

  /// One change after the other: each writes what a Mac's request is now, so two at once could leave the older one.
  private func inTurn(_ change: @escaping @MainActor () async throws(ServiceError) -> Void)
    async throws(ServiceError)
  {
    let before = last
    let task = Task { () async -> Result<Void, ServiceError> in
      await before?.value
      do throws(ServiceError) { return .success(try await change()) } catch { return .failure(error) }
    }
    last = Task { _ = await task.value }
    try await task.value.get()
  }

  /// Forgets the oldest requests that are done with. One that can't be removed is tried again with the next. It is part of
  /// a change, so no request is written for the same Mac meanwhile.
  private func forgetOldest() async {
    while runs.count > Self.limit, let old = runs.first(where: { !$0.isOpen }) {
      do throws(ServiceError) {
        try await storage?.removeValue(forKey: Self.prefix + old.device.text, in: Self.store)
      } catch { return }
      runs.removeAll { $0.id == old.id }
    }
  }

  /// A request, if no other has taken its place.
  func run(_ id: String) -> TemporaryAdminRun? { runs.first { $0.id == id } }

  /// Takes what happened to a request, and keeps it; nothing where another has taken its place meanwhile. What is in
  /// memory holds even where storage fails.
  func take(_ event: TemporaryAdminRun.Event, of id: String) async throws(ServiceError) {
    guard let index = runs.firstIndex(where: { $0.id == id }) else { return }
    let before = runs[index]
    runs[index].take(event)
    guard runs[index] != before else { return }
    try await inTurn { () throws(ServiceError) in
      if let now = self.run(id) { try await self.write(now) }
    }
  }

  private func write(_ run: TemporaryAdminRun) async throws(ServiceError) {
    try await storage?.set(run.text, forKey: Self.prefix + run.device.text, in: Self.store)
  }
}
