import ForsettiCore
import ForsettiRuntime
import ForsettiTestKit
import Foundation
import Glibc
import Testing

/// A module that crashes again and again beside one that calls: what is left of it in the supervisor, which is this
/// process.
@ReactorActor @Suite(.timeLimit(.minutes(3))) struct RestartTests {
  private static let victim = callingProgram("calls_steadily").moduleID
  private static let caller = callingProgram("calls_without_end").moduleID

  private func boot() async throws -> LiveRuntime {
    let scratch = try Scratch()
    for program in ["calls_steadily", "calls_without_end"] {
      try scratch.write("m/\(program).json", JSONWriter.text(callingProgram(program).jsonValue))
    }
    let policy = """
      {"policyVersion": 1,
       "defaults": {"restart": {"backoffFirstMilliseconds": 1, "backoffMaximumMilliseconds": 1, "restarts": 1000,
                                "withinMilliseconds": 1000, "stableMilliseconds": 1000}},
       "rules": [{"modules": "test.program.*", "grant": ["storage"]}]}
      """
    return try await LiveRuntime(
      policy: PolicyDecoder.decode(bytes: Array(policy.utf8), file: "p.json"), manifests: scratch("m"),
      host: Product.hostileHost, scratch: scratch)
  }

  /// Crashes the victim and sees it active again, so often.
  private func crash(_ live: LiveRuntime, times: Int, activations: Log<Void>) async throws {
    let before = activations.items.count
    for count in 1...times {
      #expect(kill(try #require(live.process(Self.victim)), SIGSEGV) == 0)
      await activations.wait(count: before + count)
    }
  }

  /// What each open descriptor is.
  private func descriptors() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
  }

  private func privateKiB() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
  }

  @Test("1,000 restarts of one module and 10,000 calls beside leave no descriptor and no memory behind")
  func thousand() async throws {
    let live = try await boot()
    let activations = Log<Void>()
    let listening = live.runtime.bus.subscribe(to: "forsetti.lifecycle.activated") { event in
      if event.payload["moduleID"] == Self.victim { activations.add(()) }
    }
    // What is taken once and kept is taken before it counts.
    try await crash(live, times: 50, activations: activations)
    await live.heard(Self.victim, "crash report", times: 50)
    await live.manager.finishCrashReports()
    await ModuleProcess.whenLetGo()
    let before = (descriptors: try descriptors(), memory: try privateKiB())
    try await crash(live, times: 1_000, activations: activations)
    await live.heard(Self.caller, "10000 answers")
    await live.manager.finishCrashReports()
    await ModuleProcess.whenLetGo()
    // Fewer where tests before this one let go of something meanwhile.
    let after = try descriptors()
    #expect(after.count <= before.descriptors.count, "\(Set(after).subtracting(before.descriptors).sorted())")
    // This test keeps every event and line, some 2 KiB a restart: a leak of a process's parts would be ten times that.
    #expect(try privateKiB() - before.memory < 8_192)
    #expect(live.process(Self.caller) != nil)
    listening.cancel()
    await live.shutDown()
  }
}
