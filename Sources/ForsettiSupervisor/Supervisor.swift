import CLinux
import ForsettiCore
import ForsettiRuntime
import Glibc

/// The program `forsetti-supervisor`: parses its arguments, does one command and ends with its status.
public enum Supervisor {
  /// Runs the command that the process's arguments name, and ends the process.
  public static func main() -> Never {
    cl_keep_heap()
    // A reader that closes our output ends nothing: the write says EPIPE.
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    do throws(CommandFailure) {
      try Preflight.check()
      let invocation = try ArgumentParser.parse(arguments)
      let surroundings = try Surroundings.current()
      // A mask that we were started with must not keep a command such as `events` from being ended.
      SignalSource.unblock([SIGTERM, SIGINT, SIGHUP])
      // Before any thread there is: each inherits the mask, so that only the reactor takes these.
      SignalSource.block(invocation.signals)
      if invocation.runsModules { raiseDescriptorLimit() }
      let work = try work(of: invocation, in: surroundings)
      // On the reactor alone: a process that may have few threads still runs, and nothing hops.
      Task(executorPreference: Reactor.shared) { await end(work) }
    } catch {
      report(error)
      exit(error.status.rawValue)
    }
    while true { pause() }
  }

  /// A module costs about nine descriptors, and 1,024 is a common soft limit. Modules get a limit of their own.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    // Where it can't be raised, a module too many says so itself.
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private static func end(_ work: Work) async -> Never {
    do throws(CommandFailure) {
      exit(try await work().rawValue)
    } catch {
      report(error)
      exit(error.status.rawValue)
    }
  }

  private static func report(_ failure: CommandFailure) {
    // Nobody is left to tell when this fails too.
    try? OutputStream(descriptor: 2, environment: [:]).write(failure.text)
  }

  /// One command, ready to be done.
  private typealias Work = @Sendable () async throws(CommandFailure) -> ExitStatus

  /// Makes a command ready. What is done here, outside the closures, is done before there is any thread.
  private static func work(
    of invocation: Invocation, in surroundings: Surroundings
  ) throws(CommandFailure) -> Work {
    switch invocation {
    case .run(let options):
      let command = try RunCommand(options, in: surroundings)
      return { try await command.run() }
    case .check(let options): return { try CheckCommand(options).run(in: surroundings) }
    case .explain(let moduleID, let inputs, let state, let format):
      let command = ExplainCommand(moduleID: moduleID, inputs: inputs, state: state, format: format)
      return { try await command.run(in: surroundings) }
    case .oci(let command): return { try command.run(in: surroundings) }
    case .accept(let options): return { try await AcceptCommand(options).run(in: surroundings) }
    case .crashTest(let options):
      return { try await CrashTestCommand(options, in: surroundings).run() }
    case .packages(let options): return { try await PackagesCommand(options).run(in: surroundings) }
    case .crashes(let options): return { try CrashesCommand(options).run(in: surroundings) }
    case .audit(let options): return { try AuditLogCommand(options).run(in: surroundings) }
    case .top(let command): return { try command.run(in: surroundings) }
    case .secret(let command): return { try command.run(in: surroundings) }
    case .console(let command): return { try await command.run(in: surroundings) }
    case .control(let command): return { try command.run(in: surroundings) }
    case .version(let json):
      return { try shown(VersionReport.current.text(json: json), in: surroundings) }
    case .help(let command): return { try shown(HelpText.of(command), in: surroundings) }
    }
  }

  private static func shown(
    _ text: String, in surroundings: Surroundings
  ) throws(CommandFailure) -> ExitStatus {
    try surroundings.output.write(text)
    return .success
  }
}
