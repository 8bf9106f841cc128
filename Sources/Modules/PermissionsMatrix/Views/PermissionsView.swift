internal import ForsettiModuleKit

/// The view `permissions-matrix`, drawn from what the desk has in memory.
struct PermissionsView {
  let state: PermissionsState
  /// The event type of a verb.
  let type: (String) -> String

  static let viewID = "permissions-matrix"
  private static let anyModule = "All modules"

  var tree: ViewNode {
    .list(
      [
        .text("What the modules need in Jamf Pro", style: .title),
        .text("This helps to write an API role. It grants nothing.", style: .caption),
      ] + check + listings + [.form(filter)] + list
        + (selected.map { SelectedActionView(row: $0, view: self).nodes } ?? []) + exports)
  }

  func button(_ title: String, _ verb: String, _ payload: [String: String] = [:]) -> ViewNode {
    .button(title: title, action: .publishEvent(eventType: type(verb), payload: payload))
  }

  // MARK: - The live check

  private var check: [ViewNode] {
    let again = button("Compare with the account", "check")
    switch state.check {
    case .never: return [.text("Nobody has compared this with the account yet."), again]
    case .underWay:
      return [.progress(nil, label: "Asking what the account may do"), button("Cancel", "cancel")]
    case .failed(let what, let advice):
      return [.badge("Not compared", tone: .error), .text(what), .text(advice, style: .caption), again]
    case .done(let privileges, let note):
      let unknown = privileges.unknown
      return [
        .badge("Compared", tone: .success), .text("The account has \(privileges.held.count) privileges."),
      ] + (note.map { [.text($0, style: .caption)] } ?? [])
        + (unknown.isEmpty
          ? [] : [.text("This server doesn't know: \(unknown.joined(separator: ", ")).", style: .caption)])
        + [again]
    }
  }

  // MARK: - Lists

  private var listings: [ViewNode] {
    PermissionsState.Listing.allCases.map { listing in
      listing == state.listing
        ? .badge(listing.rawValue, tone: .info) : button(listing.rawValue, "list", ["what": listing.rawValue])
    }
  }

  private var filter: ViewForm {
    let modules = PermissionMatrix.tables.map(\.moduleName)
    return ViewForm(
      fields: [
        ViewField(fieldID: "text", label: "Action or privilege", kind: .text, value: state.filter.text),
        ViewField(
          fieldID: "module", label: "Module", kind: .choice([Self.anyModule] + modules),
          value: state.filter.moduleName ?? Self.anyModule),
        ViewField(
          fieldID: "assets", label: "Devices", kind: .choice(AssetChoice.allCases.map(\.rawValue)),
          value: AssetChoice(state.filter.assets).rawValue),
        ViewField(
          fieldID: "missing", label: "Only what the account may not", kind: .toggle,
          value: state.filter.onlyMissing ? "true" : "false"),
      ], submitTitle: "Filter", eventType: type("filter"))
  }

  private var rows: [PermissionMatrix.Row] { state.filter.rows(held: state.held) }

  private var list: [ViewNode] {
    guard !rows.isEmpty else { return [.text("No action matches.")] }
    switch state.listing {
    case .actions: return [actions]
    case .privileges: return [privileges]
    case .calls: return [calls]
    }
  }

  private var actions: ViewNode {
    .table(
      columns: ["Module", "Action", "Needs", "Account", ""],
      rows: rows.map { row in
        let needed = JamfRequirement(row.action, for: state.filter.assets)
        let words = [PermissionWords.list(needed.allOf)] + needed.anyOf.map(PermissionWords.choice)
        return [
          .text(row.moduleName), .text(row.action.title),
          .text(words.filter { !$0.isEmpty }.joined(separator: "; ")),
          badge(needed.verdict(held: state.held)),
          button("Details", "select", ["id": row.action.id]),
        ]
      })
  }

  private var privileges: ViewNode {
    var users: [String: [String]] = [:]
    for row in rows {
      for name in JamfRequirement(row.action, for: state.filter.assets).names {
        users[name, default: []].append("\(row.moduleName): \(row.action.title)")
      }
    }
    return .table(
      columns: ["Privilege", "Account", "For"],
      rows: users.sorted { $0.key < $1.key }.map { name, actions in
        [.text(name), mark(name), .text(actions.joined(separator: "; "), style: .caption)]
      })
  }

  private var calls: ViewNode {
    var seen: Set<JamfEndpoint> = []
    let endpoints = rows.flatMap(\.action.steps).filter { !$0.assets.isDisjoint(with: state.filter.assets) }
      .flatMap(\.endpoints).filter { seen.insert($0).inserted }
    return .table(
      columns: ["Call", "API", "Needs"],
      rows: endpoints.map {
        [
          .text("\($0.method) \($0.pattern)", style: .code),
          .badge($0.isClassic ? "classic" : "modern", tone: $0.isClassic ? .warning : .neutral),
          .text(PermissionWords.list($0.privileges)),
        ]
      })
  }

  // MARK: - Words

  func badge(_ verdict: JamfVerdict) -> ViewNode {
    switch verdict {
    case .unchecked: .badge("not checked", tone: .neutral)
    case .allowed: .badge("allowed", tone: .success)
    case .limited: .badge("allowed in part", tone: .warning)
    case .refused: .badge("refused", tone: .error)
    }
  }

  /// Whether the account has a privilege.
  func mark(_ name: String) -> ViewNode {
    guard let held = state.held else { return .badge("not checked", tone: .neutral) }
    return held.contains(name) ? .badge("has it", tone: .success) : .badge("lacks it", tone: .error)
  }

  private var selected: PermissionMatrix.Row? {
    state.selected.flatMap { id in PermissionMatrix.rows.first { $0.action.id == id } }
  }

  private var exports: [ViewNode] {
    PermissionsExport.Format.allCases.map {
      button("Export as \($0.rawValue.uppercased())", "export", ["format": $0.rawValue])
    } + (state.note.map { [.text($0)] } ?? [])
  }
}
