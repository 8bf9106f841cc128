import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

/// Children that never become active: each ends in the named error, reaped, within its deadline.
@ReactorActor @Suite("A launch that fails", .timeLimit(.minutes(1)))
struct ProcessLaunchTests {
  @Test("a host that is absent, not executable or no program is unavailable, and why is said")
  func noHost() async throws {
    let absent = try Subject(host: "/nonexistent/forsetti-module-host")
    #expect(await absent.launchError() == unavailable(absent, "posix_spawn: No such file or directory"))
    #expect(absent.process.process == nil)
    let plain = try ScriptedChild(text: "#!/bin/sh\n", mode: 0o600)
    let notExecutable = try Subject(host: plain.path)
    #expect(await notExecutable.launchError() == unavailable(notExecutable, "posix_spawn: Permission denied"))
    let garbage = try ScriptedChild(text: "\u{1}\u{2}\u{3}\u{4}")
    let noProgram = try Subject(host: garbage.path)
    #expect(await noProgram.launchError() == unavailable(noProgram, "posix_spawn: Exec format error"))
  }

  @Test("a host of another protocol version is unavailable, and both ranges are named")
  func otherVersion() async throws {
    let subject = try Subject([
      .awaitFrame, .send(.refused(.version(ProtocolRange(lowest: 3, highest: 4)))), .exit(77),
    ])
    #expect(
      await subject.launchError()
        == unavailable(subject, "it speaks protocol versions 3 to 4, this supervisor 1"))
    #expect(subject.exits.items == [ModuleExit(status: .exited(code: 77), reason: .exitedEarly(code: 77))])
  }

  @Test("a host that can't read its set-up is unavailable, with its own words")
  func badSetUp() async throws {
    let subject = try Subject([.awaitFrame, .send(.refused(.badSetUp("no filter"))), .exit(77)])
    #expect(await subject.launchError() == unavailable(subject, "it refused its set-up: no filter"))
  }

  @Test("a layer that could not be applied is named with its errno, even if the child lingers")
  func refusedLayer() async throws {
    for last in [ScriptedChild.Step.exit(77), .hang] {
      let subject = try Subject([
        .awaitFrame, .send(.refused(.lockdown(step: .landlock, errno: ENOSYS))), last,
      ])
      #expect(
        await subject.launchError()
          == .sandboxFailed(moduleID: subject.process.spec.moduleID, step: .landlock, errno: ENOSYS))
      #expect(subject.exits.items.map(\.reason) == [.sandboxFailed(step: .landlock, errno: ENOSYS)])
    }
  }

  @Test("an entry point that the host lacks is named")
  func noEntryPoint() async throws {
    let subject = try Subject([
      .awaitFrame, .lock(notifying: []), .awaitFrame, .finishSetUp,
      .send(.describeFailed(DescribeFailedMessage(entryPoint: "Scripted"))),
    ])
    #expect(
      await subject.launchError()
        == .entryPointNotRegistered(moduleID: "com.example.scripted", entryPoint: "Scripted"))
  }

  @Test("a listener that is no open descriptor is a sandbox failure, even if the child ends by itself later")
  func falseListener() async throws {
    let subject = try Subject([
      .awaitFrame, .send(.locked(LockedMessage(version: 1, listener: 9, landlockABI: 0))), .hang,
    ])
    #expect(
      await subject.launchError()
        == .sandboxFailed(moduleID: "com.example.scripted", step: .listener, errno: EBADF))
  }

  @Test("a listener that is another descriptor never lets the set-up pass")
  func wrongListener() async throws {
    let subject = try Subject([
      .awaitFrame, .send(.locked(LockedMessage(version: 1, listener: 1, landlockABI: 0))), .awaitFrame,
      .send(.describe(description)), .hang,
    ])
    #expect(isProtocolError(await subject.launchError()))
  }

  @Test("a descriptor kept past the set-up fails the sandbox before module code runs")
  func keptDescriptor() async throws {
    let subject = try Subject([
      .awaitFrame, .lock(notifying: []), .awaitFrame, .python("os.dup(1)"), .finishSetUp,
      .send(.describe(description)),
    ])
    #expect(
      await subject.launchError()
        == .sandboxFailed(moduleID: "com.example.scripted", step: .closeDescriptors, errno: EBADF))
  }

  @Test("exit at any step is a crash during start with the code", arguments: 0..<6)
  func exitsEarly(_ step: Int) async throws {
    let subject = try Subject(Array(steps.prefix(step)) + [.exit(3)])
    let exit = ModuleExit(status: .exited(code: 3), reason: .exitedEarly(code: 3))
    #expect(await subject.startError() == .crashedDuringStart(moduleID: "com.example.scripted", exit: exit))
    #expect(subject.exits.items == [exit])
  }

  @Test("a crash at any step is told by its signal", arguments: 0..<6)
  func crashesEarly(_ step: Int) async throws {
    let subject = try Subject(Array(steps.prefix(step)) + [.raise(SIGSEGV)])
    let exit = ModuleExit(status: .signalled(SIGSEGV), reason: .crashed(signal: SIGSEGV))
    #expect(await subject.startError() == .crashedDuringStart(moduleID: "com.example.scripted", exit: exit))
  }

  @Test("a hang at any step is ended at that phase's deadline", arguments: 0..<6)
  func hangs(_ step: Int) async throws {
    let phase: ModulePhase = step < 4 ? .lockdown : step < 5 ? .describe : .start
    let subject = try Subject(Array(steps.prefix(step)) + [.hang]) { spec in
      // Only the phase under test is short, so that the others can't be taken for it.
      switch phase {
      case .lockdown: spec.deadlines.lockdown = 200
      case .describe: spec.deadlines.describe = 20
      default: spec.deadlines.start = 20
      }
    }
    let milliseconds = phase == .lockdown ? 200 : 20
    #expect(
      await subject.startError()
        == .startTimedOut(moduleID: "com.example.scripted", phase: phase, milliseconds: milliseconds))
    #expect(subject.exits.items == [ModuleExit(status: .signalled(SIGKILL), reason: .timedOut(phase))])
  }

  @Test("a pipe closed at any step ends the process soon, with a reason", arguments: 0..<6)
  func closesItsPipe(_ step: Int) async throws {
    let subject = try Subject(Array(steps.prefix(step)) + [.close(4), .hang]) { $0.deadlines.terminate = 20 }
    let error = await subject.startError()
    guard case .crashedDuringStart(_, let exit) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(exit.status == .signalled(SIGKILL))
    #expect(exit.reason == .protocolError("said its last word or closed its pipe, and did not end"))
  }

  @Test(
    "bytes that are no frame are a protocol error",
    arguments: [
      [UInt8](repeating: 0xff, count: 24), Array("hello, this is no frame at all\n".utf8),
      [0, 0, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [0xff, 0xff, 0xff, 0x7f, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [2, 0, 0, 0, 2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff],
    ])
  func garbage(_ bytes: [UInt8]) async throws {
    let subject = try Subject([.awaitFrame, .sendBytes(bytes), .hang])
    #expect(isProtocolError(await subject.launchError()))
  }

  @Test("a frame cut short by the end of the pipe is a protocol error")
  func truncated() async throws {
    let subject = try Subject([.awaitFrame, .sendBytes([4, 0, 0, 0, 2]), .close(4), .hang])
    #expect(isProtocolError(await subject.launchError()))
  }

  @Test("a process that ends by itself inside a frame breaks the protocol; one that crashes there crashed")
  func endsInsideFrame() async throws {
    let half: [UInt8] = [4, 0, 0, 0, 2]
    let leaving = try Subject([.awaitFrame, .sendBytes(half), .exit(0)])
    guard case .crashedDuringStart(_, let end) = await leaving.launchError(),
      case .protocolError = end.reason
    else {
      Issue.record("it left well")
      return
    }
    let crashing = try Subject([.awaitFrame, .sendBytes(half), .raise(SIGSEGV)])
    guard case .crashedDuringStart(_, let exit) = await crashing.launchError() else {
      Issue.record("it did not crash")
      return
    }
    #expect(exit.reason == .crashed(signal: SIGSEGV))
  }

  @Test(
    "a frame that is not for this moment is a protocol error",
    arguments: [
      ProtocolMessage.started, .describe(description), .stop, .stopped,
      .log(LogMessage(level: .info, message: "too early")), .publish(PublishMessage(type: "t")), .release,
      .locked(LockedMessage(version: 9, listener: 5, landlockABI: 0)),
    ])
  func outOfPlace(_ message: ProtocolMessage) async throws {
    let subject = try Subject([.awaitFrame, .send(message), .hang])
    #expect(isProtocolError(await subject.launchError()))
  }

  @Test("a description before the set-up tail is a protocol error: nothing skips the last look")
  func skipsTail() async throws {
    let subject = try Subject([
      .awaitFrame, .lock(notifying: []), .awaitFrame, .send(.describe(description)), .hang,
    ])
    #expect(isProtocolError(await subject.launchError()))
  }

  @Test("a start that throws gives the module's reason")
  func startFails() async throws {
    let subject = try Subject(
      ScriptedChild.describing(description) + [
        .awaitFrame, .send(.startFailed(StartFailedMessage(reason: "no licence"))), .hang,
      ])
    #expect(
      await subject.startError() == .startFailed(moduleID: "com.example.scripted", reason: "no licence"))
    #expect(subject.exits.items.count == 1)
  }

  @Test("stopping a launch under way ends it at once, and launch says so")
  func stoppedWhileLaunching() async throws {
    let subject = try Subject([.awaitFrame, .hang])
    async let error = subject.launchError()
    while subject.process.state == .created { await Task.yield() }
    let exit = await subject.process.stop()
    #expect(exit == ModuleExit(status: .signalled(SIGKILL), reason: .stopped))
    #expect(await error == .crashedDuringStart(moduleID: "com.example.scripted", exit: exit))
  }

  @Test("a process is asked in order and once; out of turn is an error, not a hang")
  func outOfTurn() async throws {
    let subject = try Subject(ScriptedChild.describing(description) + [.awaitEnd])
    await #expect(throws: ModuleManagerError.self) { try await subject.process.start(grants: []) }
    _ = try await subject.process.launch()
    await #expect(throws: ModuleManagerError.self) { _ = try await subject.process.launch() }
    _ = await subject.process.stop()
    await #expect(throws: ModuleManagerError.self) { try await subject.process.start(grants: []) }
    let never = try Subject([])
    #expect(await never.process.stop().reason == .stopped)
    await #expect(throws: ModuleManagerError.self) { _ = try await never.process.launch() }
  }

  /// The steps of a proper host up to `started`.
  private var steps: [ScriptedChild.Step] { ScriptedChild.describing(description) + [.awaitFrame] }

  private func unavailable(_ subject: Subject, _ reason: String) -> ModuleManagerError {
    .hostUnavailable(
      moduleID: subject.process.spec.moduleID, path: subject.process.spec.hostPath, reason: reason)
  }

  private func isProtocolError(_ error: ModuleManagerError?) -> Bool {
    guard case .crashedDuringStart(_, let exit) = error, case .protocolError = exit.reason else {
      return false
    }
    return exit.status == .signalled(SIGKILL)
  }
}
