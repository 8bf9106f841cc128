import ForsettiCore
import ForsettiSandbox
import Foundation
import Glibc
import Testing

@testable import ForsettiRuntime

/// A filter that is not its plan's is found out, by exactly the calls in which the two differ.
@Suite(.serialized) struct SyscallMatrixTests {
  let matrix = SyscallMatrix(probePath: "\(Shipped.buildFolder)/forsetti-syscall-probe")
  let strict = SandboxPlan.derive(grants: [], policy: SandboxPolicy())

  private func subjects() throws -> [SyscallMatrix.Subject] {
    let sets = [
      ("strict", "ForsettiManifests"), ("development", "ForsettiManifests"), ("examples", "ExampleManifests"),
    ]
    let modules = try sets.flatMap { name, folder in
      SyscallMatrix.subjects(
        of: try Shipped.policy(name),
        catalog: try ManifestLoader().load(folder: "\(Shipped.root)/Resources/\(folder)"))
    }
    let names = sets.map(\.0) + ["third-party"]
    return modules + (try names.flatMap { SyscallMatrix.subjects(of: try Shipped.policy($0)) })
      + SyscallMatrix.directGrants
  }

  @Test("under every shipped policy and direct grant, by every way, each call ends as the plan says")
  func shipped() throws {
    let rows = try matrix.run(try subjects())
    for row in rows {
      #expect(row.unexpected.isEmpty, "\(row.policy) by \(row.mode.rawValue): \(row.unexpected.prefix(8))")
      #expect(row.probed > 1_000)
    }
    #expect(Set(rows.map(\.mode)) == Set(ProbedCall.Way.allCases))
    for name in [
      "strict.json", "development.json", "examples.json", "third-party.json", "third-party.json (bundle)",
      "strict.json (bundle)", "direct threads", "direct threads (bundle)",
    ] {
      #expect(rows.contains { $0.policy.contains(name) }, "\(name) is held")
    }
  }

  private func surprises(
    _ plan: SandboxPlan, under other: SandboxPlan, _ mode: ProbedCall.Way = .native
  ) throws -> [SyscallMatrix.Surprise] {
    try matrix.run(
      SyscallMatrix.Subject(policy: "mutated", plan: plan), mode, filter: try FilterCompiler.compile(other)
    ).unexpected
  }

  @Test(
    "a filter that lets one call more through is found out by that call",
    arguments: ["getppid", "sched_yield", "fcntl", "socket", "uname"])
  func oneMore(name: String) throws {
    var wide = strict
    wide.kernel.append(SyscallRule(name, because: "a test"))
    let found = try surprises(strict, under: wide)
    #expect(Set(found.map(\.name)) == [name])
    #expect(found.allSatisfy { $0.expected == .violation && $0.seen == .kernel })
  }

  @Test(
    "a call that waits in the kernel for ever, or ends the probe, is found out too, and the rest is still probed"
  )
  func lost() throws {
    var wide = strict
    wide.kernel += [SyscallRule("pause", because: "a test"), SyscallRule("exit", because: "a test")]
    let found = try surprises(strict, under: wide)
    #expect(Set(found.map(\.name)) == ["pause", "exit"])
    #expect(found.first { $0.name == "pause" }?.seen == .lost)
    #expect(found.first { $0.name == "exit" }?.seen == .kernel)
  }

  @Test(
    "a filter that lets one call less through is found out by that call",
    arguments: ["munmap", "brk", "getrandom", "exit_group", "close"])
  func oneLess(name: String) throws {
    var narrow = strict
    narrow.kernel.removeAll { $0.name == name }
    let found = try surprises(strict, under: narrow)
    #expect(Set(found.map(\.name)) == [name])
    #expect(found.allSatisfy { $0.expected == .kernel })
  }

  @Test(
    "a filter with one condition less is found out by that call",
    arguments: ["mmap", "mprotect", "mremap", "getrandom", "close"])
  func looser(name: String) throws {
    let rule = try #require(strict.kernel.first { $0.name == name })
    for index in rule.conditions.indices {
      var wide = strict
      wide.kernel = strict.kernel.map {
        var copy = $0
        if copy.name == name { copy.conditions.remove(at: index) }
        return copy
      }
      let found = try surprises(strict, under: wide)
      #expect(Set(found.map(\.name)) == [name], "without \(rule.conditions[index].text)")
    }
  }

  @Test("a plan that names a served call too few, or one too many, differs from what the table answers")
  func servedTable() throws {
    var plan = strict
    plan.served.removeAll { $0.call.name == "gettid" }
    let judge = MatrixJudge(plan: strict, processID: 7)
    let call = try #require(
      strict.probedCalls(.native, processID: 7).first {
        $0.number == SyscallNames.number(of: "gettid").map(UInt32.init)
      })
    let outcome = MatrixProbe.Outcome(
      call: call,
      end: .handedOver(
        SeccompNotification(id: 1, thread: 7, number: Int32(call.number), arguments: .init(call.arguments))))
    #expect(judge.expected(call) == .served)
    #expect(judge.seen(outcome) == .served)
    #expect(MatrixJudge(plan: plan, processID: 7).expected(call) == .violation)
    #expect(MatrixJudge(plan: plan, processID: 7).seen(outcome) == .violation)
  }

  @Test("a bundle's exec and what its start asks for are held, each step of the set-up in its turn")
  func execution() throws {
    let bundle = SandboxPlan.derive(grants: [], policy: SandboxPolicy(), executes: true)
    #expect(try surprises(bundle, under: bundle).isEmpty)
    let judge = MatrixJudge(plan: bundle, processID: 7)
    let exec = try #require(
      bundle.served.first { $0.answer == .setUp(.execute) }?.call.example(processID: 7))
    func handedOver(_ call: ProbedCall) -> MatrixProbe.Outcome {
      MatrixProbe.Outcome(
        call: call,
        end: .handedOver(
          SeccompNotification(id: 1, thread: 7, number: Int32(call.number), arguments: .init(call.arguments)))
      )
    }
    #expect(judge.expected(exec) == .served && judge.seen(handedOver(exec)) == .served)
    var other = exec
    other.arguments[0] = 6
    #expect(judge.expected(other) == .violation && judge.seen(handedOver(other)) == .violation)
    #expect(MatrixJudge(plan: strict, processID: 7).seen(handedOver(exec)) == .violation)
  }

  @Test("a probe that is not there is named, and so is one that can't lock itself")
  func absent() {
    #expect(throws: SyscallMatrixError.probe(path: "/nowhere/probe", SystemError("posix_spawn", ENOENT))) {
      try SyscallMatrix(probePath: "/nowhere/probe").run([.init(policy: "x", plan: strict)])
    }
  }

  @Test("no probe and no descriptor is left behind")
  func clean() throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    _ = try matrix.run([.init(policy: "x", plan: strict)])
    #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count <= before)
    #expect(waitpid(-1, nil, WNOHANG) <= 0)
  }
}
