import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("Changes of the deployment tracker") struct DeploymentChangeTests {
  private static func changes() throws -> [DeploymentChange] {
    let state = DeploymentSeed.state()
    let serial = "DEMO-MAC-0001"
    let exception = try #require(state.exceptions().first { $0.isOpen })
    let layout = try DeploymentLayout(name: "Mine", list: "Status, serial")
    let simulated = try DeploymentLiveAction.allCases.map { action in
      try DeploymentSimulator.run(action, in: state, at: 10).change
    }
    return [
      try DeploymentRules.move(serial, to: "on-hold", reason: "a \"word\",\u{1F4E6}", in: state, at: 1),
      DeploymentRules.refusedMove(serial, to: "x", .unknownStatus("x"), at: 2),
      try DeploymentRules.edit(serial, .department, to: "Sales", in: state, at: 3),
      try DeploymentRules.edit(serial, .project, to: "", in: state, at: 4),
      try DeploymentRules.setRecord(.archived, of: serial, in: state, at: 5),
      try DeploymentRules.settle(exception.id, as: .waived, note: "seen", in: state, at: 6),
      try DeploymentRules.save(layout, in: state, at: 7),
      DeploymentChange(
        time: 8, action: .layoutRemoved, subject: "Mine", detail: "", edits: [.layoutRemoved("Mine")]),
      DeploymentChange(
        time: 9, action: .exported, subject: "P", detail: "1 device",
        edits: [
          .export(
            DeploymentExport(kind: .preload, scope: "P", version: 1, deviceCount: 1, fileName: "a.csv"))
        ]),
    ] + simulated
  }

  @Test("are read as they were kept, and do the same to the data")
  func kept() throws {
    var (state, again) = (DeploymentSeed.state(), DeploymentSeed.state())
    for change in try Self.changes() {
      let text = JSONWriter.bytes(change.json)
      let read = try DeploymentChange(JSONCursor(try JSONParser.parse(text, limits: JSONLimits()).root))
      #expect(read == change)
      state.apply(change)
      again.apply(read)
    }
    #expect(state == again)
    #expect(state.audit.allSatisfy { $0.edits.isEmpty })
  }

  private static let broken = [
    "7", "{}", #"{"time":1,"action":"x","subject":"","detail":"","edits":[]}"#,
    #"{"time":1,"action":"demo.seeded","subject":"","detail":"","edits":[{}]}"#,
    #"{"time":1e30,"action":"demo.seeded","subject":"","detail":"","edits":[]}"#,
    #"{"time":1,"action":"device.edited","subject":"","detail":"","edits":[{"device":{"serial":"A"}}]}"#,
    #"{"time":1,"action":"layout.saved","subject":"","detail":"","edits":[{"layout":{"name":"","columns":["x"]}}]}"#,
  ]

  @Test("are refused where they are no changes", arguments: broken)
  func refused(text: String) throws {
    let root = try JSONParser.parse(Array(text.utf8), limits: JSONLimits()).root
    #expect(throws: JSONFault.self) { try DeploymentChange(JSONCursor(root)) }
  }

  private static let edits: [(DeploymentField, String, DeploymentRefusal?)] = [
    (.department, " Sales ", nil), (.department, "", nil), (.project, "P", nil),
    (.project, "Q", .unknownProject("Q")), (.status, "complete", .notEditable(.status)),
    (.tracking, "1", .notEditable(.tracking)), (.serial, "X", .notEditable(.serial)),
    (.model, "a\u{202E}b", .unfitValue(.model)),
    (.model, String(repeating: "x", count: 201), .unfitValue(.model)),
  ]

  @Test("fill in what people know, and nothing that the workflow finds", arguments: edits)
  func edited(field: DeploymentField, value: String, refusal: DeploymentRefusal?) throws {
    var state = DeploymentTestData.state(DeploymentTestData.device(.received))
    let serial = DeploymentTestData.serial
    if let refusal {
      #expect(throws: refusal) { try DeploymentRules.edit(serial, field, to: value, in: state, at: 1) }
    } else {
      state.apply(try DeploymentRules.edit(serial, field, to: value, in: state, at: 1))
      #expect(try state.device(serial).text(field) == value.trimmedScalars)
      #expect(try state.device(serial).version == 2)
    }
  }

  @Test("settle an exception once, and waive it with a reason alone")
  func settled() throws {
    var state = DeploymentTestData.state(
      DeploymentTestData.device(.received), exceptions: [DeploymentTestData.exception(.blocking)])
    func settle(_ settled: DeploymentException.State, _ note: String = "") throws {
      state.apply(try DeploymentRules.settle("EX-0001", as: settled, note: note, in: state, at: 1))
    }
    #expect(throws: DeploymentRefusal.reasonMissing(to: .exception)) { try settle(.waived, " ") }
    try settle(.acknowledged)
    #expect(throws: DeploymentRefusal.settled("EX-0001")) { try settle(.acknowledged) }
    #expect(state.exceptions().first?.blocks == true)
    try settle(.waived, "small dent")
    #expect(state.exceptions().first?.blocks == false)
    #expect(throws: DeploymentRefusal.settled("EX-0001")) { try settle(.resolved) }
    #expect(throws: DeploymentRefusal.unknownException("EX-9")) {
      try DeploymentRules.settle("EX-9", as: .resolved, note: "", in: state, at: 1)
    }
  }
}
