import CLinux
import Glibc
import Testing

/// What tests run programs with.
@Suite("A program that a test runs", .timeLimit(.minutes(1))) struct SupervisorProcessTests {
  @Test("is known to end when it ends, though others were started at the same moment and live on")
  func siblings() async throws {
    let others = try await withThrowingTaskGroup(of: SupervisorProcess?.self) { group in
      for _ in 0..<100 {
        group.addTask { try SupervisorProcess(["1000"], executable: "/bin/sleep") }
        group.addTask {
          let end = try await SupervisorProcess.run(
            ["-c", "cat; echo two >&2; exit 3"], executable: "/bin/sh", input: "one")
          #expect(end.status == 3 && !end.isSignal && end.output == "one" && end.errors == "two\n", "\(end)")
          return nil
        }
      }
      return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
    }
    for other in others {
      other.send(SIGTERM)
      let end = await other.end()
      #expect(end.isSignal && end.status == SIGTERM)
    }
  }

  @Test("has no signal blocked or ignored, whatever thread starts it")
  func signals() async throws {
    let end = try await SupervisorProcess.run(
      ["-E", "Sig(Blk|Ign)", "/proc/self/status"], executable: "/bin/grep")
    // 32 and 33 are glibc's own, which posix_spawn always leaves ignored.
    #expect(
      end.output.split(separator: "\n").allSatisfy {
        $0.hasSuffix("\t0000000000000000") || $0 == "SigIgn:\t0000000180000000"
      }, "\(end.output)")
    #expect(end.output.split(separator: "\n").count == 2)
  }

  @Test("is waited for no longer than the test's time, and the log says for what, and what came last")
  func inVain() async throws {
    let program = try SupervisorProcess(["-c", "echo one; exec sleep 1000"], executable: "/bin/sh")
    _ = await program.output(containing: "one")
    await withKnownIssue {
      let waiting = Task { await program.output(containing: "two") }
      waiting.cancel()
      #expect(await waiting.value == "one\n")
    } matching: {
      $0.comments.contains {
        $0.rawValue.contains(#"waited for "two" of sh -c echo one"#) && $0.rawValue.contains("output: one")
      }
    }
    await withKnownIssue {
      let ending = Task { await program.end() }
      ending.cancel()
      #expect(await ending.value.output == "one\n")
    } matching: {
      $0.comments.contains { $0.rawValue.contains("waited for the end of sh -c echo one") }
    }
    let end = await program.end()
    #expect(end.isSignal && end.status == SIGKILL)
  }

  @Test("ends with the test that lets go of it")
  func letGo() throws {
    let program = try SupervisorProcess(["1000"], executable: "/bin/sleep")
    let pidfd = withExtendedLifetime(consume program) { cl_pidfd_open($0.processID) }
    defer { close(pidfd) }
    var polled = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 30_000) == 1)
  }

  @Test("of the system reads all of its input, and what it says and ends with is handed over")
  func system() throws {
    let input = [UInt8](repeating: 7, count: 1 << 20)
    let copy = try SpawnedProgram.run(["cat"], input: input)
    #expect(copy.status == 0 && copy.output == input)
    #expect(
      try SpawnedProgram.run(["sh", "-c", "echo a; echo b >&2; exit 4"], errors: true).output.count == 4)
    #expect(try SpawnedProgram.run(["sh", "-c", "exit 4"]).status == 4)
    #expect(try SpawnedProgram.run(["sh", "-c", "kill -9 $$"]).status == 128 + SIGKILL)
    #expect(try SpawnedProgram.run(["/no-such-program"]).status == 127)
  }
}
