import ForsettiCore
import ForsettiIPC
import Glibc
import Testing

@testable import ForsettiRuntime

/// What is otherwise in the life of a process whose executable is a third party's.
@Suite("The life of a third party's process") struct BundleLifecycleTests {
  private static let identify = IdentifyMessage(versions: .current, moduleID: "m.n", entryPoint: "e")
  private let lifecycle = ModuleLifecycle(ladder: StopLadder(), identify: identify)
  private let builtIn = ModuleLifecycle(ladder: StopLadder())

  private func description(version: UInt16?) -> ProtocolMessage {
    var message = ForsettiRuntimeTests.description
    message.version = version
    return .describe(message)
  }

  @Test("it hears what it is to be once the exec was let through") func greeting() {
    let next = lifecycle.next(.releasing, .tailPassed)
    #expect(next.state == .describing)
    #expect(next.actions == [.send(.identify(Self.identify)), .arm(.phase(.describe))])
    #expect(builtIn.next(.releasing, .tailPassed).actions == [.arm(.phase(.describe))])
  }

  @Test("an exec that fails after it was let through is a failed sandbox, not a lie of the module's")
  func failedExec() {
    let refused = ProtocolMessage.refused(.lockdown(step: .execute, errno: ENOEXEC))
    #expect(
      lifecycle.next(.describing, .message(refused)).state
        == .ending(.sandboxFailed(step: .execute, errno: ENOEXEC)))
    for (life, message) in [
      (builtIn, refused), (lifecycle, .refused(.lockdown(step: .seccomp, errno: EPERM))),
      (lifecycle, .refused(.badSetUp("x"))),
    ] {
      guard case .ending(.protocolError) = life.next(.describing, .message(message)).state else {
        Issue.record("believed \(message)")
        return
      }
    }
  }

  @Test("it must choose one of the versions it was offered; a module of the host chooses none here")
  func versions() {
    guard case .described = lifecycle.next(.describing, .message(description(version: 1))).state,
      case .described = builtIn.next(.describing, .message(description(version: nil))).state
    else {
      Issue.record("refused")
      return
    }
    for (life, version) in [(lifecycle, nil), (lifecycle, 2), (builtIn, 1)] as [(ModuleLifecycle, UInt16?)] {
      guard
        case .ending(.protocolError) = life.next(.describing, .message(description(version: version))).state
      else {
        Issue.record("took version \(version as Any)")
        return
      }
    }
    let other = ProtocolMessage.refused(.version(ProtocolRange(lowest: 3, highest: 4)))
    #expect(
      lifecycle.next(.describing, .message(other)).actions
        == [.fail(.hostSpeaks(ProtocolRange(lowest: 3, highest: 4))), .arm(.leave)])
  }
}
