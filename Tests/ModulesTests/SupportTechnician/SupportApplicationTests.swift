import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct SupportApplicationTests {
  private static let ordersCases: [([String: String], ApplicationOrder?)] = [
    (["verb": "install", "application": " Sample Browser "], ApplicationOrder(.install, "Sample Browser")),
    (["verb": "uninstall", "application": "Pens & Paper"], ApplicationOrder(.uninstall, "Pens & Paper")),
    (["verb": "dance", "application": "X"], nil), (["verb": "install"], nil),
    (["verb": "install", "application": "-event"], nil),
    (["verb": "install", "application": "a\u{202E}b"], nil),
    (["verb": "install", "application": "a\nb"], nil),
    (["verb": "install", "application": String(repeating: "x", count: ApplicationOrder.nameLimit + 1)], nil),
  ]

  @Test("an order names an application that can be the argument of a program", arguments: ordersCases)
  func order(payload: [String: String], expected: ApplicationOrder?) {
    #expect(ApplicationOrder(payload) == expected)
  }

  @Test("whether a Mac is as it was wanted its inventory says, with the ending or without") func met() {
    #expect(ApplicationOrder(.install, "Safari").isMet(by: ["Mail.app", "safari.app"]))
    #expect(!ApplicationOrder(.uninstall, "Safari.app").isMet(by: ["Safari.app"]))
    #expect(ApplicationOrder(.uninstall, "Safari").isMet(by: ["Safari Technology Preview.app"]))
    #expect(!ApplicationOrder(.install, "Safari").isMet(by: []))
  }

  @Test("the script holds nothing of the order, and the policy holds it as text") func artefacts() throws {
    let order = ApplicationOrder(.install, "A<b>&\"'")
    let name = ApplicationArtefacts.name(order, "C12", token: "t")
    let script = ApplicationArtefacts.script(.install, name: name)
    let contents = try #require(script["scriptContents"]?.stringValue)
    #expect(contents.contains("install-$4"))
    #expect(!contents.contains("uninstall-$4"))
    #expect(!contents.contains("A<b>"))
    let policy = ApplicationArtefacts.policy(order, name: name, script: "7", computer: "12")
    #expect(policy.contains("<parameter4>A&lt;b&gt;&amp;&quot;&apos;</parameter4>"))
    #expect(policy.contains("<frequency>Once per computer</frequency>"))
    #expect(policy.contains("<computers><computer><id>12</id></computer></computers>"))
    #expect(!policy.contains("<b>"))
  }

  private static let answersCases: [(String, String?)] = [
    ("<?xml version=\"1.0\"?><policy><id>12</id></policy>", "12"), ("<policy><id>x</id></policy>", nil),
    ("", nil), ("<html>", nil),
  ]

  @Test("the policy that was made is known by its ID", arguments: answersCases)
  func policyID(text: String, id: String?) { #expect(ApplicationArtefacts.policyID(Array(text.utf8)) == id) }

  private static let accountsCases: [(String, Int)] = [
    (#"{"privileges":["Read Computers","Create Scripts"]}"#, 4), (#"{"privileges":[]}"#, 0), ("[]", 0),
  ]

  @Test("privileges that are lacking are named, where the server tells any", arguments: accountsCases)
  func privileges(text: String, missing: Int) throws {
    #expect(ApplicationArtefacts.missingPrivileges(in: try supportTree(text)).count == missing)
  }

  private static func run(
    _ state: ApplicationRun.State, script: String? = "1", policy: String? = "2", isOld: Bool = false
  ) -> ApplicationRun {
    ApplicationRun(
      id: "1", order: ApplicationOrder(.install, "Safari"), device: SupportDeviceID(.computer, "12"),
      deviceName: "MAC-12", begun: 1_000, state: state, script: script, policy: policy, isOld: isOld)
  }

  private static let stepsCases: [(ApplicationRun.State, ApplicationRun.Event, ApplicationRun.State)] = [
    (.preparing, .madePolicy("2"), .waiting), (.preparing, .failed("no"), .failed("no")),
    (
      .preparing, .interrupted,
      .failed("The module ended while it was being prepared; look in Jamf Pro for a policy of this name.")
    ),
    (.waiting, .interrupted, .waiting), (.waiting, .read(isMet: true), .done),
    (.waiting, .read(isMet: false), .waiting), (.late, .read(isMet: true), .done),
    (.waiting, .waited(600_999), .waiting), (.waiting, .waited(601_000), .late),
    (.done, .read(isMet: false), .done), (.failed("no"), .madePolicy("3"), .failed("no")),
  ]

  @Test("an order goes from state to state, and is kept as it is", arguments: stepsCases)
  func moves(from: ApplicationRun.State, event: ApplicationRun.Event, to: ApplicationRun.State) throws {
    var run = Self.run(from)
    run.take(event)
    #expect(run.state == to)
    #expect(try ApplicationRun(id: "1", text: run.text) == run)
  }

  @Test("what was made is deleted when it is needed no more, and in any case after a day") func cleanup() {
    #expect(!Self.run(.waiting).needsCleanup)
    #expect(Self.run(.done).needsCleanup)
    #expect(Self.run(.failed("no"), policy: nil).needsCleanup)
    var late = Self.run(.late)
    #expect(late.isAwaited)
    #expect(late.isUnderWay)
    late.take(.waited(1_000 + ApplicationRun.lifetime))
    #expect(!late.isAwaited)
    #expect(!late.isUnderWay)
    #expect(late.needsCleanup)
    late.take(.removedPolicy)
    late.take(.removedScript)
    #expect(!late.isOpen)
  }

  @Test(
    "what was spoiled is refused",
    arguments: [("\"install\"", "\"dance\""), ("\"1\"", "\"../1\""), ("Safari", "-x")])
  func spoiled(from: String, to: String) throws {
    let text = Self.run(.done).text
    let range = try #require(text.firstRange(of: from))
    #expect(throws: JSONFault.self) {
      try ApplicationRun(id: "1", text: text[..<range.lowerBound] + to + text[range.upperBound...])
    }
  }
}
