import ForsettiCore
import Glibc

/// The program `forsetti-supervisor`: parses its arguments, does one command and ends with its status.
public enum Supervisor {
  /// Runs the command that the process's arguments name, and ends the process.
  public static func main() -> Never {
    // A reader that closes our output ends nothing: the write says EPIPE.
    signal(SIGPIPE, SIG_IGN)
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ arguments: [String]) -> ExitStatus {
    do throws(CommandFailure) {
      let invocation = try ArgumentParser.parse(arguments)
      return try perform(invocation, in: try Surroundings.current())
    } catch {
      let errors = OutputStream(descriptor: 2, environment: [:])
      // Nobody is left to tell when this fails too.
      try? errors.write(error.text)
      return error.status
    }
  }

  private static func perform(
    _ invocation: Invocation, in surroundings: Surroundings
  ) throws(CommandFailure) -> ExitStatus {
    switch invocation {
    case .help(let command):
      try surroundings.output.write(HelpText.of(command))
      return .success
    case .version(let json):
      try surroundings.output.write(VersionReport.current.text(json: json))
      return .success
    case .check(let inputs, let json):
      return try CheckCommand(inputs: inputs, json: json).run(in: surroundings)
    case .run, .explain, .accept:
      throw CommandFailure(status: .software, message: "this command comes with the runtime")
    }
  }
}
