import Foundation
import Testing

@testable import ForsettiSupervisor

/// The program from outside: what needs no module.
@Suite struct ProgramTests {
  @Test("a wrong line ends with 64, one line on standard error and nothing on standard output")
  func usage() async throws {
    let end = try await SupervisorProcess.run(["--polcy", "x"])
    #expect(end.status == ExitStatus.usage.rawValue)
    #expect(end.output == "")
    #expect(
      end.errors
        == "forsetti-supervisor: unknown option \"--polcy\"; did you mean --policy? (see forsetti-supervisor --help)\n"
    )
  }

  @Test("help and version print to standard output and succeed") func help() async throws {
    let help = try await SupervisorProcess.run(["--help"])
    #expect(help.status == 0)
    #expect(help.output == HelpText.of(nil))
    let version = try await SupervisorProcess.run(["version", "--json"])
    #expect(version.status == 0)
    #expect(version.output.hasPrefix("{\"version\":\"0."))
  }

  @Test("a reader that closes the pipe is no error") func brokenPipe() async throws {
    let shell = "'\(Product.supervisor)' help | true; exit ${PIPESTATUS[0]}"
    let end = try await SupervisorProcess.run(["-c", shell], executable: "/bin/bash")
    #expect(end.status == 0)
    #expect(end.errors == "")
  }

  @Test("output that cannot be written is 74") func fullDevice() async throws {
    let end = try await SupervisorProcess.run(
      ["-c", "'\(Product.supervisor)' help > /dev/full"], executable: "/bin/bash")
    #expect(end.status == ExitStatus.ioError.rawValue)
    #expect(end.errors == "forsetti-supervisor: cannot write the output: No space left on device\n")
  }
}
