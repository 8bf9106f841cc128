internal import ForsettiModuleKit

extension SearchDesk {
  private static let profilesKey = "profiles"
  private static let filtersKey = "smart-filters"

  /// Takes up what was kept.
  func load() async {
    let profiles: SavedList<SearchProfile>? = await kept(Self.profilesKey)
    let filters: SavedList<SmartFilter>? = await kept(Self.filtersKey)
    update {
      if let profiles { $0.profiles = profiles }
      if let filters { $0.filters = filters }
    }
  }

  private func kept<Item>(_ key: String) async -> SavedList<Item>? {
    guard let storage = tools.storage else { return nil }
    do {
      return try await storage.value(forKey: key, in: subject.store).map { try SavedList(text: $0) }
    } catch {
      tools.logger.warning("\(key) can't be read; they begin anew", error: error)
      notify("What was kept as \(key) can't be read; the list begins anew.", .error)
      return nil
    }
  }

  /// Changes a list and keeps it; one that can't be kept is not shown either.
  func keep<Item>(
    _ list: WritableKeyPath<SearchState, SavedList<Item>>, _ success: String,
    _ change: (inout SavedList<Item>, _ time: Int64) throws(SaveRefusal) -> Void
  ) async {
    var changed = state[keyPath: list]
    do throws(SaveRefusal) { try change(&changed, tools.now()) } catch {
      notify(error.advice, .warning)
      return
    }
    let key = Item.self == SmartFilter.self ? Self.filtersKey : Self.profilesKey
    do throws(ServiceError) {
      guard let storage = tools.storage else { throw .serviceUnavailable(role: "", why: "not granted") }
      try await storage.set(changed.text, forKey: key, in: subject.store)
    } catch {
      tools.logger.error("\(key) could not be kept", error: error)
      notify("It could not be kept; try again. Nothing was changed.", .error)
      return
    }
    update { $0[keyPath: list] = changed }
    notify(success, .success)
  }
}
