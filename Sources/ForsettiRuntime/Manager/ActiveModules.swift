import ForsettiCore

/// The modules that run, by ID and in the order in which they became active. The order is kept and not made when somebody
/// asks: to sort a thousand of them takes milliseconds, for which every call would wait.
struct ActiveModules {
  private var byID: [String: ModuleManager.ActiveModule] = [:]
  /// Their orders, ascending.
  private(set) var orders: [Int] = []
  /// Their IDs, by order.
  private(set) var ids: [String] = []
  /// That of the UI or app module among them; there is one at most.
  private(set) var uiModuleID: String?

  /// All of them, in no order.
  var all: some Collection<ModuleManager.ActiveModule> { byID.values }

  func contains(_ id: String) -> Bool { byID.index(forKey: id) != nil }

  /// The ID of a module that runs, by its order.
  func id(of order: Int) -> String? {
    let place = place(of: order)
    return place < orders.endIndex && orders[place] == order ? ids[place] : nil
  }

  /// Where a module that runs comes in the order.
  func order(of id: String) -> Int? { byID.index(forKey: id).map { byID.values[$0].order } }

  /// The module of an ID; one that is set takes the place of another of this ID.
  subscript(id: String) -> ModuleManager.ActiveModule? {
    get { byID[id] }
    set {
      if let old = byID[id] { remove(old, id) }
      if let newValue { insert(newValue, id) }
    }
  }

  private mutating func insert(_ module: ModuleManager.ActiveModule, _ id: String) {
    let place = place(of: module.order)
    orders.insert(module.order, at: place)
    ids.insert(id, at: place)
    byID[id] = module
    if module.module.manifest.moduleType != .service { uiModuleID = id }
  }

  private mutating func remove(_ module: ModuleManager.ActiveModule, _ id: String) {
    let place = place(of: module.order)
    orders.remove(at: place)
    ids.remove(at: place)
    byID[id] = nil
    if uiModuleID == id { uiModuleID = nil }
  }

  /// How many have become active before.
  private func place(of order: Int) -> Int { orders.firstPlace { $0 >= order } }
}
