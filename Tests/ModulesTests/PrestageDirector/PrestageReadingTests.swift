import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct PrestageReadingTests {
  private func json(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)).root }

  private static let items: [(String, String?, String?)] = [
    (#"{"id": "3", "displayName": "Kiosk"}"#, "3", "Kiosk"), (#"{"id": 3, "name": "Kiosk"}"#, "3", "Kiosk"),
    (#"{"prestageId": "7", "profileName": "Loan Pool"}"#, "7", "Loan Pool"),
    (#"{"id": "9"}"#, "9", "Pre-Stage 9"),
    (#"{"id": "9", "displayName": " "}"#, "9", "Pre-Stage 9"),
    (#"{"id": "9", "displayName": "", "name": "Real"}"#, "9", "Real"),
    (#"{"id": "1", "displayName": "a\u202Eb"}"#, "1", #"a\u{202E}b"#),
    (#"{"displayName": "Kiosk"}"#, nil, nil),
    (#"{"id": "../v1/x"}"#, nil, nil), (#"{"id": ""}"#, nil, nil), (#"{"id": "1/2"}"#, nil, nil),
    (#"{"id": "1?x"}"#, nil, nil), (#"{"id": 1.5}"#, nil, nil), (#""3""#, nil, nil),
    (#"{"id": "1234567890123456789012345678901234567"}"#, nil, nil),
  ]

  @Test(
    "a PreStage is read by any of its spellings, and only where its ID can stand in a path", arguments: items)
  func reference(text: String, id: String?, name: String?) throws {
    let reference = PrestageReference(try json(text))
    #expect(reference?.id == id)
    #expect(reference?.name == name)
  }

  private static let answers: [(String, [String]?, Int64?)] = [
    (
      #"{"assignments": [{"serialNumber": "f9f1"}, {"serial": " f9f2 "}], "versionLock": 4}"#,
      ["F9F1", "F9F2"], 4
    ),
    (#"{"assignments": [{"mobileDevice": {"serialNumber": "F1"}}], "version_lock": "5"}"#, ["F1"], 5),
    (#"{"serialNumbers": ["a1", "A1", "b2"], "lockVersion": 6}"#, ["A1", "B2"], 6),
    (#"{"assignments": {"a1": {}, "b2": {}}, "optimisticLockVersion": 7}"#, ["A1", "B2"], 7),
    (#"[{"serialNumber": "a1"}, "b2"]"#, ["A1", "B2"], nil),
    (#"{"deviceSerials": ["a1"], "version": 1}"#, ["A1"], 1),
    (#"{"assignments": [], "scopeVersionLock": 0}"#, [], 0),
    (#"{"assignments": [{"serialNumber": null}, {"udid": "x"}, 7, "", "a b"], "versionLock": 1}"#, [], 1),
    (#"{"assignments": [], "versionLock": -1}"#, [], nil),
    (#"{"assignments": [], "versionLock": 1e99}"#, [], nil),
    (#"{"assignments": [], "versionLock": 1, "version": 9}"#, [], 1), (#"{"versionLock": 4}"#, nil, nil),
    (#"{"assignments": null, "versionLock": 4}"#, nil, nil), ("null", nil, nil), (#""x""#, nil, nil),
    ("{}", nil, nil),
  ]

  @Test(
    "a scope is read in every shape that is known, and what is none never passes for an empty one",
    arguments: answers)
  func scope(text: String, serials: [String]?, lock: Int64?) throws {
    let scope = PrestageScope(try json(text))
    #expect(scope?.serials == serials)
    #expect(scope?.lock == lock)
  }

  private static let typed: [(String, [String])] = [
    ("f9f1", ["F9F1"]), (" b2,\n a1; b2\tA1 ", ["A1", "B2"]), ("C02-1", ["C02-1"]),
  ]

  @Test("typed serial numbers are found between white space and commas, each once", arguments: typed)
  func read(text: String, serials: [String]) throws { #expect(try SerialNumbers.read(text) == serials) }

  private static let wrong: [(String, SerialRefusal)] = [
    ("", .empty), (" , ;\n", .empty), ("a1 b/2", .noSerial(#""b/2""#)), ("ü", .noSerial(#""ü""#)),
    (String(repeating: "A", count: 33), .noSerial("\"\(String(repeating: "A", count: 33))\"")),
    ((0...SerialNumbers.limit).map { "S\($0)" }.joined(separator: " "), .tooMany),
  ]

  @Test("what is no list of serial numbers is refused", arguments: wrong)
  func refused(text: String, refusal: SerialRefusal) {
    #expect(throws: refusal) { try SerialNumbers.read(text) }
    #expect(!refusal.advice.isEmpty)
  }
}
