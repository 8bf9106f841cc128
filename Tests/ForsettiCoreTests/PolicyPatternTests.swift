import ForsettiCore
import Testing

@Suite("Module and event patterns")
struct PolicyPatternTests {
  @Test(
    "a pattern names the modules it says",
    arguments: [
      ("com.example.a", "com.example.a", true),
      ("com.example.a", "COM.Example.A", true),
      ("com.example.a", "com.example.ab", false),
      ("com.example.a", "com.example", false),
      ("com.example.*", "com.example.a", true),
      ("com.example.*", "com.example.a.b", true),
      ("com.example.*", "com.example", false),
      ("com.example.*", "com.example.", false),
      ("com.example.*", "com.examples.a", false),
      ("com.*.a", "com.example.a", true),
      ("com.*.a", "com.example.x.a", false),
      ("com.*.a", "com..a", false),
      ("*", "com.example.a", true),
      ("*", "", false),
      ("*.a", "com.a", true),
    ])
  func matching(pattern: String, moduleID: String, isMatch: Bool) throws {
    #expect(try ModulePattern(pattern).matches(moduleID) == isMatch)
  }

  @Test(
    "what is no pattern is refused",
    arguments: [
      "", "com", ".a", "com.", "com..a", "com.ex*", "com.*x.a", "com.exämple.a", "com.-a", "co-m.a", "com.1a",
      "forsetti.core", "Forsetti.*", "com.a b",
    ])
  func refused(text: String) {
    #expect(throws: ModulePatternFault.self) { try ModulePattern(text) }
  }

  @Test("an exact ID beats a pattern, a longer pattern a shorter, and equals are equal")
  func precedence() throws {
    let rising = try ["*", "com.*", "com.a.*", "com.*.bc", "a.b"].map { try ModulePattern($0).precedence }
    for (weaker, stronger) in zip(rising, rising.dropFirst()) { #expect(weaker < stronger) }
    #expect(try ModulePattern("com.ab.*").precedence == ModulePattern("com.*.ab").precedence)
    #expect(try ModulePattern("a.b").precedence == ModulePattern("com.example.long").precedence)
  }

  @Test(
    "what is no event pattern is refused",
    arguments: ["", "a..b", "a.*.b", "a*", "{moduleID}", "{moduleID}x", "{moduleID}.", "a b", "ä.b", "*.a"])
  func refusedEvents(text: String) {
    #expect(throws: EventPatternFault.self) { try EventPattern(text) }
  }

  @Test(
    "silence lets a module publish under its own ID alone",
    arguments: [
      ("com.example.a.done", true), ("COM.example.A.done", true), ("com.example.a", false),
      ("com.example.ab.done", false), ("com.example.b.done", false), ("forsetti.lifecycle.started", false),
      ("com.example.a.", false),
    ])
  func silence(type: String, mayPublish: Bool) {
    #expect(Policy().mayPublish(moduleID: "com.example.a", eventType: type) == mayPublish)
  }

  @Test("silence lets a module read its own events and the public lifecycle")
  func reading() {
    let rules = Policy().eventRules(for: "com.example.a")
    #expect(rules.maySubscribe("forsetti.lifecycle.started"))
    #expect(rules.maySubscribe("forsetti.lifecycle.*"))
    #expect(rules.maySubscribe("com.example.a.*"))
    #expect(!rules.maySubscribe("com.example.*"))
    #expect(!rules.maySubscribe("*"))
    #expect(!rules.maySubscribe("forsetti.internal.x"))
  }

  @Test("the strongest rule that speaks of events decides, whole; nothing opens the reserved space")
  func eventRules() throws {
    let policy = Policy(rules: [
      PolicyRule(try ModulePattern("com.example.*"), publish: [try EventPattern("*")], subscribe: []),
      PolicyRule(
        try ModulePattern("com.example.a"),
        publish: [try EventPattern("{moduleID}.*"), try EventPattern("shared.news")]),
    ])
    #expect(policy.mayPublish(moduleID: "com.example.b", eventType: "anything.at.all"))
    #expect(!policy.mayPublish(moduleID: "com.example.b", eventType: "Forsetti.lifecycle.started"))
    #expect(policy.mayPublish(moduleID: "com.example.a", eventType: "shared.news"))
    #expect(!policy.mayPublish(moduleID: "com.example.a", eventType: "shared.news.more"))
    #expect(!policy.mayPublish(moduleID: "com.example.a", eventType: "anything.at.all"))
    #expect(!policy.eventRules(for: "com.example.a").maySubscribe("com.example.a.done"))
  }
}
