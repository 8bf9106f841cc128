import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// Whether one module is unlocked.
struct EntitlementItem: ControlRecord, Equatable {
  var moduleID = ""
  /// Absent for a module that needs none.
  var productID: String?
  var isUnlocked = false

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("moduleID", &moduleID)
    try members("productID", &productID)
    try members("unlocked", &isUnlocked)
  }
}

/// Who says what is unlocked. The modules come as items, one each; the client puts them in.
struct EntitlementsAnswer: ControlRecord {
  var source = ""
  var modules: [EntitlementItem] = []

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("source", &source)
    try members("modules", &modules)
  }

  /// For people.
  func text(_ style: TextStyle) -> String {
    let header = ["", "MODULE", "PRODUCT"].map(style.dim)
    let rows = modules.map {
      [$0.isUnlocked ? style.pass : style.fail, escaped($0.moduleID), escaped($0.productID ?? "needs none")]
    }
    return "unlocked by \(escaped(source))\n" + columns([header] + rows)
  }
}

extension ControlOperations {
  /// What is unlocked now, by the word of the source of entitlements.
  static let entitlements = ControlOperation<NoValue, EntitlementItem, EntitlementsAnswer>(
    "entitlements", .read
  ) { (_, call) throws(ControlFailure) in
    let manager = try call.manager
    for module in manager.catalog.manifests {
      var item = EntitlementItem()
      item.moduleID = module.manifest.moduleID
      item.productID = module.manifest.iapProductID
      item.isUnlocked = await manager.isUnlocked(module)
      try await call.stream.send(item)
    }
    var answer = EntitlementsAnswer()
    answer.source =
      switch manager.policy.entitlements {
      case .allowAll: "everything (the policy's entitlements are allowAll)"
      case .fixed: "the policy's own list"
      case .file(let path): path
      }
    return answer
  }
}
