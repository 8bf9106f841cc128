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
    try await subject.process.start(grants: [.storage])
    #expect(subject.process.state == .active)
    let info = try #require(subject.process.inspect())
    #expect(info.threads == 1)
    #expect(info.openFileDescriptors == 5)
    #expect(info.noNewPrivileges == true)
    #expect(info.seccompMode == 2)
    #expect((info.pssKiB ?? 0) > 0)
    #expect((info.activationNanoseconds ?? 0) > 0)
    #expect(subject.published.items == [PublishMessage(type: "com.example.hello")])
    let exit = await subject.process.stop()
    #expect(exit == ModuleExit(status: .exited(code: 0), reason: .stopped))
    #expect(subject.exits.items == [exit])
    #expect(
      Set(subject.output.items) == [
        .line("on my way", droppedBytes: 0), .record(LogMessage(level: .info, message: "up")),
      ])
    #expect(subject.process.inspect() == nil)
    #expect(await subject.process.stop() == exit)
  }
}
