import ForsettiCore
import ForsettiIPC
import ForsettiSandbox
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

/// Limits that end a module, and whether its end says which.
@ReactorActor @Suite("Limits", .timeLimit(.minutes(1)))
struct LimitTests {
  @Test("a module that uses up its CPU time ends for that, and for nothing else")
  func cpu() async throws {
    let subject = try Subject(host: try builtProgram("forsetti-kit-probe")) {
      $0.entryPoint = "Busy"
      $0.lockdown.limits.cpuSeconds = 1
    }
    _ = try await subject.process.launch()
    try await subject.process.start(grants: [])
    let exit = await subject.process.exit()
    #expect(exit == ModuleExit(status: .signalled(SIGXCPU), reason: .cpuLimit))
  }

  @Test(
    "a module whose memory is refused ends for want of memory, by one allocation or by many",
    arguments: ["TakesMemoryAtOnce", "TakesMemory"])
  func memory(entryPoint: String) async throws {
    let subject = try Subject(host: try builtProgram("forsetti-kit-probe")) {
      $0.entryPoint = entryPoint
      $0.lockdown.limits.addressSpaceBytes = 128 << 20
      $0.lockdown.limits.dataBytes = 64 << 20
    }
    guard case .crashedDuringStart(_, let exit)? = await subject.startError() else {
      Issue.record("it started")
      return
    }
    #expect(exit.reason == .outOfMemory)
    #expect(exit.status == .signalled(SIGABRT))
  }

  /// No plan lets a module have a file, so for this one the filter is opened.
  @Test(
    "a module that writes a file past its limit ends for that, and one within it goes on",
    arguments: ProgramsTests.hosts, [0, 1, 15, 16] as [UInt64])
  func fileSize(host: String, pages: UInt64) async throws {
    var open = SandboxPlan.derive(grants: [], policy: SandboxPolicy())
    open.kernel += ["memfd_create", "pwrite64"].map { SyscallRule($0, because: "test") }
    let filter = try FilterCompiler.compile(open)
    let subject = try Subject(host: host) {
      $0.entryPoint = "file_growth_probe"
      $0.lockdown.filter = filter.bytes
      $0.lockdown.limits.fileSizeBytes = pages * 4_096
    }
    let error = await subject.startError()
    guard pages < 16 else {
      #expect(error == nil)
      #expect(await subject.process.stop().reason == .stopped)
      return #expect(subject.published.items.first?.payload["text"] == "16 pages")
    }
    let exit = ModuleExit(status: .signalled(SIGXFSZ), reason: .fileSizeLimit)
    #expect(error == .crashedDuringStart(moduleID: "com.example.scripted", exit: exit))
    #expect("\(exit)".contains("larger than its limit"))
  }

  @Test("an abort that only talks of memory is an abort")
  func talk() async throws {
    for text in ["failed to allocate 5 bytes of memory\n", "Fatal error: failed to allocate a desk\n"] {
      let subject = try Subject([
        .awaitFrame, .lock(notifying: []), .awaitFrame, .finishSetUp, .print(text), .raise(SIGABRT),
      ])
      guard case .crashedDuringStart(_, let exit)? = await subject.launchError() else {
        Issue.record("it started")
        return
      }
      #expect(exit.reason == .aborted)
    }
  }
}
