import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct PrestageMapTests {
  @Test(
    "a status is read whoever wrote it, and a word that says no is never passed over",
    arguments: [
      ("true", .enrolled), ("managed", .enrolled), ("Enrolled", .enrolled), (" ENROLLED ", .enrolled),
      ("yes", .enrolled), ("Enrolled via PreStage", .enrolled), ("false", .notEnrolled),
      ("unmanaged", .notEnrolled), ("not enrolled", .notEnrolled), ("unenrolled", .notEnrolled),
      ("Not Managed", .notEnrolled), ("not-managed", .notEnrolled), ("NOT_ENROLLED", .notEnrolled),
      ("notEnrolled", .notEnrolled), ("UnEnrolled", .notEnrolled), ("never enrolled", .notEnrolled),
      ("", nil), ("  ", nil), ("pending", nil), ("7", nil),
    ] as [(String, PrestageStatus?)])
  func status(text: String, status: PrestageStatus?) { #expect(PrestageStatus(text) == status) }

  @Test("a record's own word on its status is found where servers write it")
  func recorded() throws {
    #expect(
      PrestageStatus(of: try json(#"{"general": {"enrollmentStatus": "NOT_ENROLLED"}}"#)) == .notEnrolled)
    #expect(PrestageStatus(of: try json(#"{"general": {"prestageStatus": true}}"#)) == .enrolled)
    #expect(PrestageStatus(of: try json(#"{"general": {"name": "Enrolled"}}"#)) == nil)
    #expect(PrestageStatus(of: .null) == nil)
  }

  private static func map(limit: Int = 10) throws -> PrestageMap {
    var map = PrestageMap(limit: limit)
    let first = try #require(PrestageReference(id: "12", name: "Standard Mac"))
    let second = try #require(PrestageReference(id: "17", name: nil))
    map.add(first, PrestageScope(serials: ["C1", "C2"], lock: nil))
    map.add(second, PrestageScope(serials: ["C2", "C3"], lock: nil))
    return map
  }

  @Test(
    "what a record says comes first, and the scopes fill what it lacks",
    arguments: [
      ("C1", nil, "Enrolled - Standard Mac (ID: 12)"), (" c1 ", nil, "Enrolled - Standard Mac (ID: 12)"),
      ("C1", "Not Enrolled", "Not Enrolled - Standard Mac (ID: 12)"),
      ("C1", "Enrolled - Lab (ID: 3)", "Enrolled - Lab (ID: 3)"),
      ("C2", nil, "Enrolled - Standard Mac (ID: 12)"),
      ("C3", nil, "Enrolled - Pre-Stage 17 (ID: 17)"), ("C9", nil, nil), (nil, "Enrolled", "Enrolled"),
      (nil, nil, nil),
    ] as [(String?, String?, String?)])
  func text(serial: String?, recorded: String?, text: String?) throws {
    #expect(try Self.map().text(serial: serial, recorded: recorded) == text)
  }

  @Test("scopes are taken as long as all of their devices have room, and one that has none is named as such")
  func room() throws {
    func scope(_ count: Int) -> PrestageScope {
      PrestageScope(serials: (0..<count).map { "C\($0)" }, lock: nil)
    }
    var room = ScopeRoom(limit: 5)
    try room.take(scope(3))
    #expect(throws: JamfFailure.beyondLimit(.devices)) { try room.take(scope(3)) }
    try room.take(scope(2))
    #expect(throws: JamfFailure.beyondLimit(.devices)) { try room.take(scope(1)) }
  }

  @Test("what is missing is told, and why")
  func notes() throws {
    #expect(try Self.map().notes == [])
    var map = try Self.map(limit: 2)
    map.miss(.beyondLimit(.devices))
    map.miss(.cancelled)
    #expect(map.notes.count == 2)
    #expect(map.notes[0].contains("more than 2 devices"))
    for part in ["in 2 PreStages", JamfLimit.devices.what, JamfLimit.devices.wayOut] {
      #expect(map.notes[1].contains(part))
    }
  }

  @Test("no more serial numbers are kept than have room, and that is known")
  func limit() throws {
    #expect(try Self.map().isCut == false)
    let cut = try Self.map(limit: 2)
    #expect(cut.isCut)
    #expect(cut.serials == ["C1", "C2"])
  }
}
