import CLinux
import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

@ReactorActor @Suite("A module process", .timeLimit(.minutes(1)), .serialized)
struct ProcessTests {
  @Test("a proper child goes from spawn to active and stops when asked")
  func properLife() async throws {
    let subject = try Subject(
      ScriptedChild.describing(description) + [
        .awaitFrame, .print("on my way\n"), .send(.publish(PublishMessage(type: "com.example.hello"))),
        .send(.log(LogMessage(level: .info, message: "up"))), .send(.started),
        .awaitFrame, .send(.stopped),
      ])
    #expect(try await subject.process.launch() == description)
    #expect(subject.process.channel?.precedence == .upkeep)
    try await subject.process.start(grants: [.storage])
    #expect(subject.process.state == .active)
    #expect(subject.process.channel?.precedence == .traffic)
    let info = try #require(await subject.process.observe())
    #expect(info.threads == 1)
    #expect(info.openFileDescriptors == 5)
    #expect(info.noNewPrivileges == true)
    #expect(info.seccompMode == 2)
    #expect((info.pssKiB ?? 0) > 0)
    #expect((info.activationNanoseconds ?? 0) > 0)
    #expect(subject.process.process?.pid == info.pid)
    #expect(subject.published.items == [PublishMessage(type: "com.example.hello")])
    let exit = await subject.process.stop()
    #expect(exit == ModuleExit(status: .exited(code: 0), reason: .stopped))
    #expect(subject.exits.items == [exit])
    #expect(
      Set(subject.output.items) == [
        .line("on my way", droppedBytes: 0), .record(LogMessage(level: .info, message: "up")),
      ])
    #expect(await subject.process.observe() == nil)
    #expect(await subject.process.stop() == exit)
  }

  @Test("500 launches leave no descriptor, no child and no zombie behind")
  func nothingLeft() async {
    // In a process of its own: other tests open and spawn at the same time.
    await #expect(processExitsWith: .success) {
      try await Self.launchMany()
    }
  }

  private static func launchMany() async throws {
    let host = try builtProgram("forsetti-module-host")
    func round(_ count: Int) async throws {
      for number in 0..<count {
        let path = ["/bin/true", host, "/nonexistent", "/bin/cat"][number % 4]
        let subject = try Subject(host: path) { spec in
          spec.moduleID = "com.forsetti.jamfpro.service.jamf"
          spec.entryPoint = "ForsettiJamfServiceModule"
        }
        _ = await subject.startError()
        _ = await subject.process.stop()
      }
    }
    try await round(8)
    let before = openDescriptors()
    try await round(500)
    await ModuleProcess.whenLetGo()
    #expect(openDescriptors() == before)
    var info = siginfo_t()
    #expect(waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == -1 && errno == ECHILD)
  }
}
