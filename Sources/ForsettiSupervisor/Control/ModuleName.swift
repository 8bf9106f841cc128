import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// What a person calls a module: its whole ID, or whole segments from either end that only one module has.
enum ModuleName {
  /// What a name comes to.
  enum Match: Equatable {
    case one(String)
    case none(near: String?)
    case several([String])
  }

  /// Looks the name up among all IDs, without case. A whole ID beats all; then segments at its end (`scanner`), then
  /// the beginning of the ID, then of its last segment.
  static func match(_ name: String, among ids: [String]) -> Match {
    let wanted = name.lowercased()
    let tests: [(String) -> Bool] = [
      { $0 == wanted },
      { $0.hasSuffix("." + wanted) },
      { $0.hasPrefix(wanted) },
      { $0.split(separator: ".").last?.hasPrefix(wanted) ?? false },
    ]
    for test in tests where !wanted.isEmpty {
      let found = ids.filter { test($0.lowercased()) }
      if let only = found.first { return found.count == 1 ? .one(only) : .several(found.sorted()) }
    }
    return .none(near: NearestName.suggest(for: name, among: ids))
  }
}

extension ModuleManager {
  /// The ID that a person means, of a module that is discovered, or desired and gone or refused. Who means another bundle
  /// that is not let in hears why.
  func find(_ name: String) throws(ControlFailure) -> String {
    if catalog[name] == nil, !isDesired(name), let refusal = catalog.refusal(of: name) {
      throw ControlFailure(refusal)
    }
    switch ModuleName.match(name, among: moduleIDs) {
    case .one(let id): return id
    case .none(let near):
      // Only now, so that a bundle's name never gets into the way of a module's.
      if case .one(let id) = ModuleName.match(name, among: catalog.refusals.map(\.name)),
        let refusal = catalog.refusal(of: id)
      {
        throw ControlFailure(refusal)
      }
      throw ControlFailure(
        .failed, .dataError,
        "no module is called \(name.quoted())" + (near.map { "; did you mean \($0)?" } ?? ""))
    case .several(let ids):
      let listed = ids.prefix(10).joined(separator: ", ")
      let more = ids.count > 10 ? " and \(ids.count - 10) more" : ""
      throw ControlFailure(
        .failed, .usage, "\(name.quoted()) could be \(listed)\(more); name one of them")
    }
  }
}

extension ControlFailure {
  fileprivate init(_ refusal: BundleRefusal) {
    self.init(
      CommandFailure(ModuleManagerError.bundleRefused(moduleID: refusal.name, reason: refusal.reason)))
  }
}
