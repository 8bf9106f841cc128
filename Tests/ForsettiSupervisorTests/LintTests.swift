import ForsettiCore
import Glibc
import Testing

@testable import ForsettiSupervisor

/// `check --lint` by the real program, over real files.
@Suite("check --lint") struct LintTests {
  private let scratch: Scratch
  private let policy: String

  /// One risky line with a reason, one without, one note.
  init() throws {
    scratch = try Scratch()
    try scratch.write("m/a.json", CheckTests.manifest("com.example.a"))
    policy = try scratch.write(
      "policy.json",
      """
      {
        "policyVersion": 1,
        "onDrift": {"value": "accept", "reason": "A test machine."},
        "audit": "allowed",
        "rules": [{"modules": "com.example.nobody"}]
      }
      """)
  }

  private func check(_ options: String...) async throws -> SupervisorProcess.End {
    try await SupervisorProcess.run(["check", "--policy", policy, "--manifests", scratch("m")] + options)
  }

  @Test(
    "the shipped policies have a reason for each risky line",
    arguments: ["strict", "development", "examples"])
  func shipped(name: String) async throws {
    let set = name == "examples" ? "ExampleManifests" : "ForsettiManifests"
    let end = try await SupervisorProcess.run([
      "check", "--lint", "--policy", "\(Product.checkout)/policy/\(name).json", "--manifests",
      "\(Product.checkout)/Resources/\(set)",
    ])
    #expect(end.status == 0, "\(end.output)")
    #expect(end.output.contains("0 without a reason"))
  }

  @Test("a risky line without a reason fails; a note and a line with a reason don't") func text() async throws
  {
    let end = try await check("--lint")
    #expect(end.status == ExitStatus.dataError.rawValue)
    #expect(end.output.contains("\(policy):4:12: /audit error: lets any module be audited"))
    #expect(end.output.contains("[audit-allowed]\n"))
    #expect(end.output.contains("\(policy):5:25: /rules/0/modules note: there is no module"))
    #expect(!end.output.contains("drift-accepted"))
    #expect(end.output.contains("1 without a reason, 1 with one"))
    #expect(end.output.contains("✗ 1 risky line without a reason"))
    let plain = try await check()
    #expect(plain.status == 0)
  }

  @Test("JSON has every finding, its reason, and the questions of each module") func json() async throws {
    let end = try await check("--lint", "--json")
    #expect(end.status == ExitStatus.dataError.rawValue)
    let lint = try JSONParser.parse(Array(end.output.utf8), limits: PolicyDecoder.limits).root["lint"]
    #expect(lint?["openCount"]?.integerValue == 1)
    #expect(
      lint?["findings"]?.elements?.map { $0["rule"]?.stringValue }
        == ["drift-accepted", "audit-allowed", "rule-without-module"])
    #expect(lint?["findings"]?.elements?.first?["reason"]?.stringValue == "A test machine.")
    let exposure = lint?["exposure"]?.elements?.first
    #expect(exposure?["moduleID"]?.stringValue == "com.example.a")
    #expect((exposure?["score"]?.doubleValue ?? 0) > 0)
    #expect(exposure?["questions"]?.elements?.contains { $0["answer"]?.stringValue == "allowed" } == true)
  }

  @Test("a module above the threshold fails the check and is named; one at it doesn't") func threshold()
    async throws
  {
    let json = try await check("--lint", "--json").output
    let root = try JSONParser.parse(Array(json.utf8), limits: PolicyDecoder.limits).root
    let score = try #require(root["lint"]?["exposure"]?.elements?.first?["score"]?.doubleValue)
    try scratch.write(
      "policy.json", #"{"policyVersion": 1, "audit": {"value": "allowed", "reason": "A test."}}"#)
    let enough = try await check("--threshold", decimalText(score, places: 1))
    #expect(enough.status == 0)
    let end = try await check("--threshold", decimalText(score - 0.1, places: 1))
    #expect(end.status == ExitStatus.dataError.rawValue)
    #expect(end.output.contains("✗ 1 module above"))
    for wrong in [["--threshold", "11"], ["--threshold", "nan"], ["--sarif", "--json"]] {
      let end = try await SupervisorProcess.run(["check"] + wrong)
      #expect(end.status == ExitStatus.usage.rawValue)
    }
  }

  @Test(
    "SARIF is read by a reader of another's, a line with a reason suppressed, faults of manifests among the results",
    .enabled(if: access(Self.python, X_OK) == 0, "make venv"))
  func sarif() async throws {
    try scratch.write("m/b c.json", CheckTests.manifest("nodots"))
    let faults = try await results()
    #expect(faults == ["check error 1 open"])
    try scratch.write("m/b c.json", CheckTests.manifest("com.example.b", entryPoint: "Other"))
    let risks = try await results()
    #expect(
      risks == [
        "drift-accepted error 3 suppressed", "audit-allowed error 4 open", "rule-without-module note 5 open",
      ])
  }

  private static let python = Product.checkout + "/.venv/bin/python"

  private func results() async throws -> [String] {
    let file = try scratch.write("report.sarif", try await check("--sarif").output)
    let read = try await SupervisorProcess.run(
      [Product.checkout + "/Tests/Python/sarif_results.py", file], executable: Self.python)
    #expect(read.status == 0, "\(read.errors)")
    return read.output.split(separator: "\n").map(String.init)
  }

  @Test("paths become URI references, and places are taken apart") func places() {
    #expect(SARIFReport.uri("policy/strict.json") == "policy/strict.json")
    #expect(SARIFReport.uri("/a b/%\u{e9}.json") == "file:///a%20b/%25%C3%A9.json")
    #expect(SARIFReport.place("a:b.json:3:4") == ("a:b.json", PolicyPlace(line: 3, column: 4)))
    #expect(SARIFReport.place("a.json") == ("a.json", nil))
  }
}
