/// All actions of all modules, with what they need.
enum PermissionMatrix {
  /// The tables of the modules that ask Jamf Pro for something.
  static let tables = [
    ComputerSearchEndpoints.table, MobileDeviceSearchEndpoints.table, SupportEndpoints.table,
    PrestageEndpoints.table, ReportsEndpoints.table, PermissionsEndpoints.table,
  ]

  /// An action, and whose it is.
  struct Row: Sendable, Equatable {
    let moduleID: String
    let moduleName: String
    let action: JamfAction
  }

  /// In the order of the modules, then of their tables.
  static let rows = tables.flatMap { table in
    table.actions.map { Row(moduleID: table.moduleID, moduleName: table.moduleName, action: $0) }
  }
}

/// Which rows are wanted; everything absent is no condition.
struct PermissionFilter: Sendable, Equatable {
  /// In an action's title, its ID, or the name of a privilege it needs.
  var text = ""
  /// The name of the module.
  var moduleName: String?
  /// Kinds of device.
  var assets = Set(JamfAsset.allCases)
  /// Only what the account may not do, or not in full.
  var onlyMissing = false

  /// Characters of a text that count.
  static let textLimit = 100

  func rows(held: Set<String>?) -> [PermissionMatrix.Row] {
    let words = text.lowercased()
    return PermissionMatrix.rows.filter { row in
      guard moduleName == nil || row.moduleName == moduleName, !row.action.assets.isDisjoint(with: assets)
      else { return false }
      let needed = JamfRequirement(row.action, for: assets)
      if onlyMissing {
        switch needed.verdict(held: held) {
        case .allowed, .unchecked: return false
        case .limited, .refused: break
        }
      }
      return words.isEmpty || row.action.title.lowercased().contains(words) || row.action.id.contains(words)
        || needed.names.contains { $0.lowercased().contains(words) }
    }
  }
}

extension JamfRequirement {
  /// Every privilege that it speaks of, sorted by name.
  var names: [String] {
    Set((allOf + anyOf.joined().joined() + optional).map(\.rawValue)).sorted()
  }
}
