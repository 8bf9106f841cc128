internal import ForsettiModuleKit

/// One action: what it needs, step by step.
struct SelectedActionView {
  let row: PermissionMatrix.Row
  let view: PermissionsView

  private var assets: Set<JamfAsset> {
    // An action of the other kind of device is shown for its own.
    row.action.assets.isDisjoint(with: view.state.filter.assets)
      ? row.action.assets : view.state.filter.assets
  }

  var nodes: [ViewNode] {
    let needed = JamfRequirement(row.action, for: assets)
    let verdict = needed.verdict(held: view.state.held)
    return [
      .text("\(row.moduleName): \(row.action.title)", style: .heading), view.badge(verdict),
      .text(PermissionWords.verdict(verdict)),
    ] + list("All of:", needed.allOf)
      + needed.anyOf.map { .text("Any of: \(PermissionWords.choice($0))") }
      + list("For all that it shows:", needed.optional) + [graph]
  }

  private func list(_ title: String, _ privileges: [JamfPrivilege]) -> [ViewNode] {
    guard !privileges.isEmpty else { return [] }
    return [
      .text(title), .keyValues(privileges.map { ViewKeyValue($0.rawValue, view.mark($0.rawValue)) }),
    ]
  }

  /// The graph as a table: a step, the calls that do it, and what each needs.
  private var graph: ViewNode {
    let graph = PermissionGraph(row.action, for: assets, held: view.state.held)
    let titles = Dictionary(graph.nodes.map { ($0.id, $0.title) }) { first, _ in first }
    let follow = { (id: String, kind: PermissionGraph.Edge.Kind) in
      graph.edges.filter { $0.from == id && $0.kind == kind }.map(\.to)
    }
    var rows: [[ViewNode]] = []
    for step in graph.nodes where step.kind == .step {
      for endpoint in follow(step.id, .implementedBy) {
        let privileges = follow(endpoint, .needs).compactMap { titles[$0] }
        rows.append([
          .text(step.title + (step.flags.contains("optional") ? " (optional)" : "")),
          .text(titles[endpoint] ?? "", style: .code), .text(privileges.joined(separator: ", ")),
        ])
      }
    }
    return .table(columns: ["Step", "Any one of these calls", "Needs"], rows: rows)
  }
}
