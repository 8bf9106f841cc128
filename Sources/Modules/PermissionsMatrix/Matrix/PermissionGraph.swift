internal import ForsettiModuleKit

/// What an action hangs on, as nodes and edges: the same for the same action and account, down to the order.
struct PermissionGraph: Sendable, Equatable {
  struct Node: Sendable, Equatable {
    enum Kind: String, Sendable { case action, step, privilege, endpoint }

    let id: String
    let kind: Kind
    let title: String
    /// 0 for the action, 1 for its steps, 2 for privileges and endpoints.
    let column: Int
    /// What is worth a warning: `classic` for an endpoint of the Classic API, `missing` for a privilege that the account
    /// lacks, `optional` for a step.
    let flags: [String]
  }

  struct Edge: Sendable, Equatable {
    /// An action requires its steps, a step is implemented by endpoints, an endpoint needs privileges.
    enum Kind: String, Sendable { case requires, implementedBy, needs }

    let from: String
    let to: String
    let kind: Kind
  }

  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []

  init(_ action: JamfAction, for assets: Set<JamfAsset>, held: Set<String>?) {
    let root = "action:\(action.id)"
    add(Node(id: root, kind: .action, title: action.title, column: 0, flags: []))
    for (place, step) in action.steps.enumerated() where !step.assets.isDisjoint(with: assets) {
      let id = "step:\(action.id).\(place)"
      add(Node(id: id, kind: .step, title: step.title, column: 1, flags: step.isOptional ? ["optional"] : []))
      edges.append(Edge(from: root, to: id, kind: .requires))
      for endpoint in step.endpoints { add(endpoint, of: id, held) }
    }
  }

  private mutating func add(_ endpoint: JamfEndpoint, of step: String, _ held: Set<String>?) {
    let title = "\(endpoint.method) \(endpoint.pattern)"
    // The same path may need more for another order.
    let id = "endpoint:\(title) \(endpoint.privileges.map(\.rawValue).sorted().joined(separator: ","))"
    add(Node(id: id, kind: .endpoint, title: title, column: 2, flags: endpoint.isClassic ? ["classic"] : []))
    edges.append(Edge(from: step, to: id, kind: .implementedBy))
    for privilege in endpoint.privileges {
      let name = privilege.rawValue
      let isMissing = held.map { !$0.contains(name) } ?? false
      add(
        Node(
          id: "privilege:\(name)", kind: .privilege, title: name, column: 2,
          flags: isMissing ? ["missing"] : []))
      let edge = Edge(from: id, to: "privilege:\(name)", kind: .needs)
      if !edges.contains(edge) { edges.append(edge) }
    }
  }

  private mutating func add(_ node: Node) {
    if !nodes.contains(where: { $0.id == node.id }) { nodes.append(node) }
  }

  var json: JSONValue {
    .object([
      (
        "nodes",
        .array(
          nodes.map {
            .object([
              ("id", .string($0.id)), ("kind", .string($0.kind.rawValue)), ("title", .string($0.title)),
              ("column", .integer($0.column)), ("flags", .strings($0.flags)),
            ])
          })
      ),
      (
        "edges",
        .array(
          edges.map {
            .object([("from", .string($0.from)), ("to", .string($0.to)), ("kind", .string($0.kind.rawValue))])
          })
      ),
    ])
  }
}

extension JamfEndpoint {
  /// Whether it belongs to the Classic API, which Jamf phases out.
  var isClassic: Bool { pattern.hasPrefix("/JSSResource/") }
}
