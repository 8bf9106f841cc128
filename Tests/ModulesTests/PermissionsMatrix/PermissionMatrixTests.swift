import ForsettiIPC
import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct PermissionMatrixTests {
  @Test("every action has an ID of its own, of its module, and something to do") func actions() {
    let rows = PermissionMatrix.rows
    #expect(Set(rows.map(\.action.id)).count == rows.count)
    for row in rows {
      let module = row.moduleID.split(separator: ".").last.map { "\($0)." }
      #expect(row.action.id.hasPrefix(module ?? "?"), "\(row.action.id) of \(row.moduleID)")
      #expect(!row.action.steps.isEmpty)
      #expect(row.action.steps.allSatisfy { !$0.endpoints.isEmpty && !$0.assets.isEmpty }, "\(row.action.id)")
    }
  }

  @Test("every privilege is needed by some action") func privileges() {
    let used = Set(PermissionMatrix.rows.flatMap(\.action.steps).flatMap(\.endpoints).flatMap(\.privileges))
    #expect(Set(JamfPrivilege.allCases).subtracting(used).isEmpty)
  }

  @Test("actions are found by their words, their module, and the privileges they need") func filter() throws {
    let all = PermissionFilter().rows(held: nil)
    #expect(all == PermissionMatrix.rows)
    #expect(
      PermissionFilter(text: "move devices to another").rows(held: nil).map(\.action.id) == [
        "prestage-director.move"
      ])
    let byPrivilege = PermissionFilter(text: "UPDATE MOBILE DEVICE PRESTAGE").rows(held: nil).map(\.action.id)
    #expect(byPrivilege == ["prestage-director.remove", "prestage-director.move"])
    let byModule = PermissionFilter(moduleName: "PreStage Director").rows(held: nil)
    #expect(Set(byModule.map(\.moduleName)) == ["PreStage Director"])
    #expect(PermissionFilter(text: "nothing of the kind").rows(held: nil).isEmpty)
    #expect(
      PermissionFilter(assets: [.computer]).rows(held: nil).allSatisfy {
        $0.action.assets.contains(.computer)
      })
  }

  @Test("only what an account may not do is listed where that is asked") func missing() {
    let reader: Set = ["Read Mobile Device PreStage Enrollments", "Read Mobile Devices"]
    let filter = PermissionFilter(moduleName: "PreStage Director", onlyMissing: true)
    #expect(
      filter.rows(held: reader).map(\.action.id) == ["prestage-director.remove", "prestage-director.move"])
    #expect(filter.rows(held: nil).isEmpty, "nobody knows")
    #expect(filter.rows(held: Set(JamfPrivilege.allCases.map(\.rawValue))).isEmpty)
  }

  @Test("the form of the view is read, and what is none of its choices changes nothing") func form() {
    let filter = PermissionFilter(
      form: ["text": "  lock ", "module": "PreStage Director", "assets": "Computers", "missing": "true"])
    #expect(
      filter
        == PermissionFilter(
          text: "lock", moduleName: "PreStage Director", assets: [.computer], onlyMissing: true))
    #expect(
      PermissionFilter(form: ["module": "All modules", "assets": "Both kinds", "missing": "false"])
        == PermissionFilter())
    #expect(PermissionFilter(form: ["module": "x", "assets": "x"]) == PermissionFilter())
  }
}

@Suite struct TokenPrivilegesTests {
  private static let answers: [(String, Set<String>?)] = [
    (#"{"privileges": ["A", 7, null, "B", "A"]}"#, ["A", "B"]), (#"{"privileges": []}"#, []),
    (#"{"privileges": "all"}"#, nil), ("{}", nil), ("[]", nil), ("null", nil),
  ]

  @Test("names of privileges are read, and what is no list of them is none", arguments: answers)
  func names(text: String, names: Set<String>?) throws {
    #expect(TokenPrivileges.names(try JSONParser.parse(Array(text.utf8)).root) == names)
  }

  @Test("names that this server has otherwise are told") func unknown() {
    let all = Set(JamfPrivilege.allCases.map(\.rawValue))
    #expect(TokenPrivileges(held: [], catalogue: nil).unknown.isEmpty)
    #expect(TokenPrivileges(held: [], catalogue: all).unknown.isEmpty)
    #expect(
      TokenPrivileges(held: [], catalogue: all.subtracting(["Read Mobile Devices"])).unknown == [
        "Read Mobile Devices"
      ])
  }
}

@Suite struct PermissionGraphTests {
  private func graph(_ id: String, held: Set<String>? = nil) throws -> PermissionGraph {
    let row = try #require(PermissionMatrix.rows.first { $0.action.id == id })
    return PermissionGraph(row.action, for: Set(JamfAsset.allCases), held: held)
  }

  @Test("the graph of every action is whole: one action, unique nodes, edges between nodes that are there")
  func whole() throws {
    for row in PermissionMatrix.rows {
      let graph = try graph(row.action.id)
      let ids = Set(graph.nodes.map(\.id))
      #expect(ids.count == graph.nodes.count)
      #expect(graph.nodes.count { $0.kind == .action } == 1)
      #expect(graph.edges.allSatisfy { ids.contains($0.from) && ids.contains($0.to) })
      #expect(
        graph.nodes.allSatisfy { node in
          switch node.kind {
          case .action: node.column == 0
          case .step: node.column == 1
          case .privilege, .endpoint: node.column == 2
          }
        })
      let reached = Set(graph.edges.map(\.to))
      #expect(graph.nodes.allSatisfy { $0.kind == .action || reached.contains($0.id) })
      #expect(graph == (try self.graph(row.action.id)), "the same again")
    }
  }

  @Test("what the account lacks is marked, and what is not checked is not") func marks() throws {
    let marked = { (graph: PermissionGraph) in
      graph.nodes.filter { $0.flags.contains("missing") }.map(\.title)
    }
    #expect(marked(try graph("prestage-director.move")).isEmpty)
    #expect(
      marked(try graph("prestage-director.move", held: ["Read Mobile Device PreStage Enrollments"]))
        == ["Update Mobile Device PreStage Enrollments"])
    #expect(try graph("prestage-director.browse").nodes.count { $0.flags == ["optional"] } == 1)
  }
}

@Suite struct PermissionsExportTests {
  private let export = PermissionsExport(
    rows: PermissionMatrix.rows, assets: Set(JamfAsset.allCases),
    held: ["Read Mobile Device PreStage Enrollments"])

  @Test("JSON has every action with its requirement, calls, verdict and graph") func json() throws {
    let limits = JSONLimits(bytes: 1 << 20)
    let root = try JSONParser.parse(export.documents(.json)[0], limits: limits).root
    let actions = try #require(root["actions"]?.elements)
    #expect(actions.count == PermissionMatrix.rows.count)
    let move = try #require(actions.first { $0["id"]?.stringValue == "prestage-director.move" })
    #expect(move["allOf"]?.elements?.count == 2)
    #expect(move["verdict"]?.stringValue == "refused: Update Mobile Device PreStage Enrollments missing")
    #expect(move["calls"]?.elements?.count == 8)
    #expect(move["graph"]?["nodes"]?.elements?.isEmpty == false)
  }

  @Test("CSV and Markdown have every action") func texts() {
    let csv = String(decoding: export.documents(.csv)[0], as: UTF8.self)
    #expect(csv.split(separator: "\r\n").count == PermissionMatrix.rows.count + 1)
    let markdown = String(decoding: export.documents(.md)[0], as: UTF8.self)
    #expect(markdown.split(separator: "\n").count { $0.hasPrefix("## ") } == PermissionMatrix.rows.count)
    #expect(markdown.contains("## PreStage Director: Move devices to another PreStage"))
  }
}

@Suite struct PermissionsViewTests {
  private static let checks: [(PermissionsState.Check, String)] = [
    (.never, "Nobody has compared"), (.underWay, "Asking what the account may do"),
    (
      .done(TokenPrivileges(held: ["Read Mobile Devices"], catalogue: []), catalogueNote: "A note."),
      "know: Create Managed"
    ),
    (.failed(what: "It failed.", advice: "Try again."), "Try again."),
  ]

  @Test("every listing of every state fits into a view", arguments: checks, PermissionsState.Listing.allCases)
  func views(check: (PermissionsState.Check, String), listing: PermissionsState.Listing) throws {
    var state = PermissionsState()
    state.check = check.0
    state.listing = listing
    for selected in ["support-technician.rotateLAPSPassword", "nothing"] {
      state.selected = selected
      let tree = PermissionsView(state: state, type: { "m.\($0)" }).tree
      var writer = CBORWriter()
      try tree.encode(into: &writer)
      #expect(writer.bytes.count < FrameHeader.maximumPayload)
      #expect("\(tree)".contains(check.1))
    }
  }
}
