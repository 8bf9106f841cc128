import ForsettiCore
import ForsettiHostileSet
import ForsettiRuntime
import Glibc
import Testing

@testable import ForsettiSupervisor

/// The parts of the proof that are values: what a policy becomes, how a case is judged, in which order a storm comes.
@Suite struct CrashTestPartsTests {
  private let fork = HostileCase("fork", "forks", program: "try_fork", .ends(.violation("fork")))

  private func facts(_ change: (inout CaseFacts) -> Void = { _ in }) -> CaseFacts {
    var facts = CaseFacts()
    let violation = Violation(syscall: "fork", number: 57, arguments: [], path: nil, instructionPointer: 1)
    facts.outcome = .ended(.violation(violation))
    facts.aftermath = .quarantined
    facts.report = report(.violation(violation))
    change(&facts)
    return facts
  }

  private func report(_ reason: ExitReason, message: String? = nil) -> CrashReport {
    CrashReport(
      id: CrashReportID(endedAt: 1, random: 1),
      module: CrashedModule(
        moduleID: fork.moduleID, displayName: "", version: "1.0.0", type: .service, origin: "built-in",
        entryPoint: "", manifestSHA256: "", capabilitiesRequested: []),
      grants: [], endedAt: 1, uptimeMilliseconds: 0, exit: ModuleExit(status: .signalled(9), reason: reason),
      evidence: CrashEvidence(message: message), ends: [], next: .quarantine(.violation), wayOut: nil)
  }

  @Test("a case is contained only if reason, aftermath, report and neighbours are as they must be")
  func judgement() {
    #expect(CaseResult(hostileCase: fork, facts: facts()).isContained)
    let spoiled: [(inout CaseFacts) -> Void] = [
      { $0.outcome = .ended(.crashed(signal: SIGSEGV)) }, { $0.outcome = .said("escaped with 7") },
      { $0.outcome = .nothing }, { $0.aftermath = .restarted }, { $0.aftermath = nil },
      { $0.report = nil }, { $0.report = self.report(.crashed(signal: SIGSEGV)) },
      { $0.othersEnded = ["com.example.victim"] }, { $0.neighbours.lost = 1 },
    ]
    for spoil in spoiled {
      #expect(CaseResult(hostileCase: fork, facts: facts(spoil)).problems.count == 1)
    }
  }

  @Test("a report must have the case's last words, and one that is not ended must leave none") func reports()
  {
    let trap = HostileCase(
      "trap", "traps", program: "trap", .ends(.crashed(signal: SIGILL)), lastWords: "on purpose")
    func problems(_ hostileCase: HostileCase, _ report: CrashReport?) -> Int {
      var facts = CaseFacts()
      facts.outcome = .ended(.crashed(signal: SIGILL))
      if case .survives = hostileCase.expected { facts.outcome = .said("x") }
      facts.aftermath = hostileCase.aftermath
      facts.report = report
      return CaseResult(hostileCase: hostileCase, facts: facts).problems.count
    }
    #expect(problems(trap, report(.crashed(signal: SIGILL), message: "Fatal error: on purpose")) == 0)
    #expect(problems(trap, report(.crashed(signal: SIGILL))) == 1)
    let flood = HostileCase("flood", "floods", program: "flood", .survives(saying: "x"))
    #expect(problems(flood, nil) == 0)
    #expect(problems(flood, report(.aborted)) == 1)
    let slow = HostileCase("slow", "is slow", program: "slow", at: .start, .refused(.timedOut(.start)))
    var facts = CaseFacts()
    facts.outcome = .refused(.startTimedOut(moduleID: slow.moduleID, phase: .start, milliseconds: 1))
    facts.aftermath = .down
    #expect(CaseResult(hostileCase: slow, facts: facts).problems.count == 1)
    facts.report = report(.timedOut(.start))
    #expect(CaseResult(hostileCase: slow, facts: facts).isContained)
  }

  @Test("isolation held only if nothing failed, was left behind or interrupted") func verdict() {
    var report = CrashTestReport(userModules: 1, notStarted: [])
    report.results = [CaseResult(hostileCase: fork, facts: facts())]
    #expect(report.status == .success)
    var left = report
    left.after.descriptors += 1
    #expect(left.status == .software && left.excess.count == 1)
    var interrupted = report
    interrupted.isInterrupted = true
    #expect(interrupted.status == .temporaryFailure)
    report.results.append(CaseResult(hostileCase: fork, facts: facts { $0.outcome = .nothing }))
    #expect(report.status == .software)
    let xml = JUnitFile.text(of: report)
    #expect(xml.contains("tests=\"3\" failures=\"1\""))
    #expect(xml.contains("<failure message=\"nothing was seen of it\">"))
  }

  @Test("a hostile module gets what its case needs and no more, whatever the user's rules grant")
  func overlay()
    throws
  {
    let generous = PolicyRule(
      try ModulePattern("*"), grant: Capability.allCases, limits: [.dataBytes: 1 << 40],
      publish: [try EventPattern("*")], subscribe: [try EventPattern("*")])
    let policy = Policy(registration: .reviewed, rules: [generous], telemetry: .collector(url: "http://x"))
    let trial = try policy.forCrashTest(HostileSuite.cases, bundleFolder: nil)
    for hostileCase in HostileSuite.cases {
      let granted = trial.grants(for: hostileCase.manifest).granted
      #expect(Set(granted) == Set(hostileCase.capabilities), "\(hostileCase.name)")
      if hostileCase.expected != .ends(.cpuLimit) {
        #expect(trial.sandbox(for: hostileCase.moduleID) == policy.sandboxDefaults)
      }
      #expect(!trial.mayPublish(moduleID: hostileCase.moduleID, eventType: HostileNeighbour.tickEvent))
      #expect(!trial.mayMessage(from: hostileCase.moduleID, to: HostileNeighbour.listener.moduleID))
    }
    let (caller, listener) = (HostileNeighbour.caller.moduleID, HostileNeighbour.listener.moduleID)
    #expect(trial.mayMessage(from: caller, to: listener) && trial.mayMessage(from: listener, to: caller))
    #expect(
      trial.sandbox(for: "com.example.theirs").limits.dataBytes == 1 << 40, "the user's own stay as they are")
    #expect(trial.registration == .automatic && trial.telemetry == .off)
    #expect(trial.userIDs.first == policy.userIDs.first + policy.userIDs.count - 1_024)
  }

  @Test("a seed brings the same storm each time, another seed another") func storms() {
    func names(_ seed: UInt64) -> [String] {
      var waves = StormWaves(seed, HostileSuite.cases)
      return (0..<20).flatMap { _ in waves.next().map(\.name) }
    }
    #expect(names(7) == names(7))
    #expect(names(7) != names(8))
    var waves = StormWaves(1, HostileSuite.cases)
    #expect(Set(waves.next().map(\.name)).count == StormWaves.width)
  }

  @Test("cases have names, IDs and entry points of their own") func unique() {
    let cases = HostileSuite.cases
    #expect(cases.count >= 45)
    #expect(Set(cases.map(\.name)).count == cases.count)
    #expect(Set(cases.map(\.entryPoint)).count == cases.count)
    #expect(cases.allSatisfy { HostileSuite.named($0.name) == $0 })
  }

  @Test("times add up, and 99 of a hundred are below the p99") func histogram() throws {
    var times = LatencyHistogram()
    for number in 1...1_000 { times.add(microseconds: Double(number)) }
    #expect((990...1_050).contains(times.p99Microseconds))
    let again = try #require(LatencyHistogram(times.text))
    #expect(again == times)
    times.add(again)
    #expect(times.count == 2_000)
    #expect(LatencyHistogram().p99Microseconds == 0)
    #expect(LatencyHistogram("1:x") == nil)
    #expect(LatencyHistogram("1:-1") == nil)
  }

  @ReactorActor
  @Test("the shipped host has none of the hostile modules, and the hostile host has all") func registries()
    async throws
  {
    for hostileCase in HostileSuite.cases where !hostileCase.isBundle {
      let module = LoadedManifest(manifest: hostileCase.manifest, path: "m.json", sha256: "")
      let shipped = await EntryPointProbe.ask(about: module, hostPath: Product.moduleHost, policy: Policy())
      guard case .refused(.entryPointNotRegistered) = shipped else {
        Issue.record("\(hostileCase.name) can be started in the shipped host: \(shipped)")
        continue
      }
      let hostile = await EntryPointProbe.ask(about: module, hostPath: Product.hostileHost, policy: Policy())
      // One of them lies about who it is.
      #expect((hostile == .known) == (hostileCase.name != "stolen-id"), "\(hostileCase.name): \(hostile)")
    }
  }
}
