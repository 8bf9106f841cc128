import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct CommandHistoryTests {
  private static let statesCases: [(String, CommandBucket)] = [
    ("Acknowledged", .completed), ("ACKNOWLEDGED", .completed), ("Acknowledged (1 retries)", .completed),
    ("Completed", .completed), ("Pending", .pending), ("PENDING", .pending), ("Sent", .pending),
    ("Sending", .pending), ("Issued", .pending), ("Idle", .pending), ("NotNow", .notNow),
    ("NOT_NOW", .notNow),
    ("Not Now", .notNow), ("Error", .failed), ("ERROR: 12021", .failed), ("Failed", .failed),
    ("Expired", .failed), ("Cancelled", .failed), ("Queued elsewhere", .other), ("", .other),
  ]

  @Test("states of all spellings fall into the same five", arguments: statesCases)
  func buckets(status: String, bucket: CommandBucket) { #expect(CommandBucket(status) == bucket) }

  @Test("a page of the Pro API is read") func page() throws {
    let history = CommandHistory(
      try supportTree(
        """
        {"totalCount":2,"results":[
          {"uuid":"u-1","commandState":"PENDING","commandType":"RESTART_DEVICE","dateSent":"2026-11-01T08:00:00Z",
           "dateCompleted":"1970-01-01T00:00:00.000Z"},
          {"uuid":"u-2","command":{"commandState":"ERROR","commandType":"SETTINGS","errorReasons":["no","never"]}},
          {"uuid":"u-3"}, "what", null]}
        """))
    #expect(history.records.map(\.type) == ["RESTART_DEVICE", "SETTINGS"])
    #expect(history.records.map(\.bucket) == [.pending, .failed])
    #expect(history.records[0].completed == nil)
    #expect(history.records[1].reason == "no; never")
    #expect(CommandBucket.allCases.map { history.count($0) } == [1, 0, 1, 0, 0])
  }

  @Test("so is a bare list, as far as it is bounded") func list() throws {
    let row = #"{"id":"u","type":"X","status":"Acknowledged"}"#
    let rows = Array(repeating: row, count: 300).joined(separator: ",")
    #expect(CommandHistory(try supportTree("[\(rows)]")).records.count == CommandHistory.limit)
    #expect(CommandHistory(try supportTree("{}")).records.isEmpty)
  }

  private static let classicCases = [
    """
    {"computer_history":{"commands":{"completed":[{"name":"A","completed":"2026"}],"pending":[{"name":"B","status":
    "Pending","issued":"2025"}],"failed":[{"name":"C","status":"Device is locked","failed":"2024"}]}}}
    """,
    """
    {"mobile_device_history":{"management_commands":{"completed":[{"name":"A","date_time_completed":"2026"}],
    "pending":[{"name":"B","date_time_issued":"2025"}],
    "failed":[{"name":"C","error":"Device is locked","date_time_failed":"2024"}]}}}
    """,
  ]

  @Test("and the Classic API's two histories", arguments: classicCases) func classic(text: String) throws {
    #expect(
      CommandHistory(classic: try supportTree(text)).records == [
        CommandRecord(type: "B", status: "Pending", issued: "2025"),
        CommandRecord(type: "A", status: "Completed", completed: "2026"),
        CommandRecord(type: "C", status: "Failed", completed: "2024", reason: "Device is locked"),
      ])
  }

  private static let prestagesCases: [(String, String?)] = [
    (
      #"{"general":{"enrollmentMethodPrestage":{"mobileDevicePrestageId":"42","profileName":"Shared"}}}"#,
      "Enrolled - Shared (ID: 42)"
    ),
    (#"{"prestageName":"Standard","prestageId":17}"#, "Standard (ID: 17)"),
    (#"{"prestageId":17}"#, "(ID: 17)"), (#"{"managed":true}"#, nil),
    (
      #"{"general":{"enrollmentMethod":{"id":"1","objectName":"Standard Mac","objectType":"PreStage enrollment"}}}"#,
      "Standard Mac"
    ),
    (
      #"{"general":{"enrollmentMethod":{"objectName":"ann","objectType":"User-initiated - no invitation"}}}"#,
      nil
    ),
    (#"{"general":{"enrollmentMethod":"PreStage enrollment: Standard Mac (11)"}}"#, "Standard Mac"),
    (
      #"{"general":{"enrollmentMethod":"PreStage enrollment: PreStage - Lab (A) (11)"}}"#,
      "PreStage - Lab (A)"
    ),
    (#"{"general":{"enrollmentMethod":"User-initiated"}}"#, nil),
    (#"{"general":{"enrollmentMethod":null}}"#, nil), ("[]", nil),
  ]

  @Test("the PreStage of a device is read in all the ways it is written", arguments: prestagesCases)
  func prestage(text: String, expected: String?) throws {
    #expect(PrestageReading.title(of: try supportTree(text)) == expected)
  }

  private static let rowsCases: [(SupportDeviceKind, String, String?)] = [
    (
      .computer,
      #"{"id":"7","general":{"name":"MAC-7","managementId":"m-7"},"hardware":{"serialNumber":"C7"}}"#, "MAC-7"
    ),
    (.computer, #"{"id":7,"hardware":{"serialNumber":" C7 "}}"#, "C7"),
    (.computer, #"{"id":"7/../1","hardware":{"serialNumber":"C7"}}"#, nil), (.computer, #"{"id":"7"}"#, nil),
    (.computer, "null", nil),
    (
      .mobileDevice,
      #"{"mobileDeviceId":"9","general":{"displayName":"iPad-9"},"hardware":{"serialNumber":"F9"}}"#, "iPad-9"
    ),
    (.mobileDevice, #"{"id":"9","name":"iPad-9","serialNumber":"F9"}"#, "iPad-9"),
  ]

  @Test("a row without an ID or a serial number is none", arguments: rowsCases)
  func rows(kind: SupportDeviceKind, text: String, name: String?) throws {
    #expect(SupportDevice(kind, try supportTree(text))?.name == name)
  }

  @Test("what becomes part of a path can't lead elsewhere") func paths() {
    #expect(SupportText.uuid("0f8f-AB") == "0f8f-AB")
    for text in ["", "a/b", "a b", "é", "a%2f", String(repeating: "a", count: 65)] {
      #expect(SupportText.uuid(text) == nil)
    }
    #expect(SupportDeviceID(text: "computer/12") == SupportDeviceID(.computer, "12"))
    for text in ["computer/", "computer/1/2", "printer/1", "computer/-1", ""] {
      #expect(SupportDeviceID(text: text) == nil)
    }
  }
}
