import CLinux
import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

/// The real module host, locked by the strict plan.
@ReactorActor @Suite("The real module host", .timeLimit(.minutes(2)))
struct ProcessHostTests {
  @Test("goes from spawn to active and stops, locked as the kernel itself sees it")
  func life() async throws {
    let subject = try Subject(host: try builtProgram("forsetti-module-host")) { $0.use(example) }
    let description = try await subject.process.launch()
    #expect(description.descriptor.moduleID == example.moduleID)
    try await subject.process.start(grants: [])
    let info = try #require(await subject.process.observe())
    #expect(info.threads == 1)
    #expect(info.openFileDescriptors == 5)
    #expect(info.seccompMode == 2)
    #expect(info.noNewPrivileges == true)
    #expect((1...16_384).contains(info.pssKiB ?? 0))
    #expect(info.servedCalls >= 1)
    let exit = await subject.process.stop()
    #expect(exit == ModuleExit(status: .exited(code: 0), reason: .stopped))
    #expect(subject.output.items.contains { if case .record = $0 { true } else { false } })
  }

  @Test("takes short turns on a processor once it is locked", .enabled(if: hasSlices))
  func shortTurns() async throws {
    let subject = try Subject(host: try builtProgram("forsetti-module-host")) { $0.use(example) }
    _ = try await subject.process.launch()
    let info = try #require(await subject.process.observe())
    #expect(slice(of: "\(info.pid)") == Int(CL_SHORT_SLICE))
    _ = await subject.process.stop()
  }

  @Test("says so when it has no module under the entry point")
  func unknownEntryPoint() async throws {
    let subject = try Subject(host: try builtProgram("forsetti-module-host")) {
      $0.entryPoint = "NoSuchModule"
    }
    #expect(
      await subject.launchError()
        == .entryPointNotRegistered(moduleID: "com.example.scripted", entryPoint: "NoSuchModule"))
    #expect(subject.exits.items.count == 1)
  }

  @Test("refuses a supervisor of another protocol version, naming its own")
  func otherVersion() async throws {
    let subject = try Subject(host: try builtProgram("forsetti-module-host")) { spec in
      spec.versions = ProtocolRange(lowest: 7, highest: 9)
    }
    guard case .hostUnavailable(_, _, let reason) = await subject.launchError() else {
      Issue.record("not unavailable")
      return
    }
    #expect(reason == "it speaks protocol versions 1, this supervisor 7 to 9")
  }

  @Test("refuses to run under a parent that is not the one it was told of")
  func otherParent() async throws {
    let subject = try Subject(host: try builtProgram("forsetti-module-host")) {
      $0.lockdown.supervisorPID = 1
    }
    guard case .sandboxFailed(_, .parentDeathSignal, _) = await subject.launchError() else {
      Issue.record("not refused")
      return
    }
  }

  @Test("eleven at once become active, each in its own process, and all stop")
  func many() async throws {
    let host = try builtProgram("forsetti-module-host")
    var subjects: [Subject] = []
    for _ in 0..<11 {
      let subject = try Subject(host: host) { $0.use(example) }
      _ = try await subject.process.launch()
      try await subject.process.start(grants: [])
      subjects.append(subject)
    }
    #expect(Set(subjects.compactMap { $0.process.process?.pid }).count == 11)
    for subject in subjects.reversed() {
      #expect(await subject.process.stop().reason == .stopped)
    }
  }

  /// Calls nothing that it was not granted, for nobody answers calls here.
  private var example: (moduleID: String, entryPoint: String) {
    ("com.forsetti.example.service", "ExampleServiceModule")
  }
}

extension LaunchSpec {
  fileprivate mutating func use(_ module: (moduleID: String, entryPoint: String)) {
    moduleID = module.moduleID
    entryPoint = module.entryPoint
  }
}

/// A program of this package, as it was built beside the test bundle.
func builtProgram(_ name: String) throws -> String {
  let bundle = try #require(realpath("/proc/self/exe", nil))
  defer { free(bundle) }
  let path = String(cString: bundle)
  return path[..<(path.lastIndex(of: "/") ?? path.startIndex)] + "/" + name
}
