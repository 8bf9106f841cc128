import ForsettiCore
import ForsettiTestKit
import Foundation
import Glibc
import Testing

@testable import ForsettiRuntime

@ReactorActor @Suite("What a real process leaves for its report", .timeLimit(.minutes(2)), .serialized)
struct CrashEvidenceTests {
  private func evidence(_ host: String, _ program: String) async throws -> (CrashEvidence, ModuleExit) {
    let subject = try Subject(host: host) { $0.entryPoint = program }
    _ = await subject.startError()
    let exit = await subject.process.exit()
    return (try #require(subject.process.evidence), exit)
  }

  @Test(
    "a crash leaves its fault, its frames in the host's file, and what it used",
    arguments: ProgramsTests.hosts)
  func crash(host: String) async throws {
    let (evidence, exit) = try await evidence(host, "crash_null_write")
    #expect(exit.reason == .crashed(signal: SIGSEGV))
    #expect(evidence.fault == CrashFault(signal: SIGSEGV, code: 1, address: 8))
    #expect(evidence.backtrace.count >= 3)
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: host)[.size] as? UInt64)
    for frame in evidence.backtrace {
      #expect(frame.file == host)
      #expect(try #require(frame.offset) < size)
    }
    let usage = try #require(evidence.usage)
    #expect(usage.peakMemoryKiB > 0 && usage.minorFaults > 0)
    #expect(usage.userMicroseconds + usage.systemMicroseconds > 0)
    #expect(evidence.frameHeads.map(\.kind) == ["locked", "describe"])
    #expect(evidence.lifetimeMilliseconds >= 0)
    #expect(evidence.missing == [])
  }

  @Test("what the runtime said last is among its lines and is the message", arguments: ProgramsTests.hosts)
  func message(host: String) async throws {
    let (evidence, _) = try await evidence(host, "crash_forced_cast")
    #expect(evidence.message?.contains("Could not cast value") == true)
    #expect(evidence.log.contains { $0.text == evidence.message && $0.level == nil })
    // The handler raises the signal again.
    #expect(evidence.servedCalls["tgkill"] == 2)
  }

  @Test("a violation leaves the place of the call in the host's file", arguments: ProgramsTests.hosts)
  func violation(host: String) async throws {
    let (evidence, exit) = try await evidence(host, "try_open_passwd")
    guard case .violation(let violation) = exit.reason else {
      Issue.record("\(exit)")
      return
    }
    let frame = try #require(evidence.backtrace.first)
    #expect(evidence.backtrace.count == 1)
    #expect(frame.address == violation.instructionPointer)
    #expect(frame.file == host && frame.offset != nil)
  }

  @Test("one that was asked to stop leaves nothing to tell", arguments: ProgramsTests.hosts)
  func stopped(host: String) async throws {
    let subject = try Subject(host: host) { $0.entryPoint = "print" }
    _ = await subject.startError()
    #expect(await subject.process.stop().reason == .stopped)
    #expect(subject.process.evidence == nil)
  }

  @Test("a program without the kit has no handler, and its report says so") func noHandler() async throws {
    let evidence = try await bundle("*(volatile int *)8 = 1; return 3;")
    #expect(evidence.backtrace == [] && evidence.fault == nil)
    #expect(evidence.missing.count == 1 && evidence.missing[0].contains("no handler"))
  }

  @Test("a violation of a program without the kit has its place where the supervisor may look, else why not")
  func bundleViolation() async throws {
    let evidence = try await bundle(#"open("/etc/passwd", O_RDONLY); return 3;"#)
    let frame = try #require(evidence.backtrace.first)
    if evidence.missing.isEmpty {
      #expect(frame.file?.hasSuffix("/module") == true)
      #expect(frame.offset != nil)
    } else {
      // An ordinary user may not look into a program that nobody may read.
      #expect(geteuid() != 0)
      #expect(evidence.missing[0].contains("CAP_SYS_PTRACE"))
      #expect(frame.file == nil && frame.offset == nil)
    }
  }

  private func bundle(_ body: String) async throws -> CrashEvidence {
    let process = try CompiledProgram(main: body).process()
    await #expect(throws: ModuleManagerError.self) { try await process.launch() }
    _ = await process.exit()
    return try #require(process.evidence)
  }
}
