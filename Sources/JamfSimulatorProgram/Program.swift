import CLinux
import ForsettiBlocking
import ForsettiCore
import ForsettiHTTP
import Glibc
import JamfSimulator

/// A made-up Jamf Pro server for tests and demos; see `ProgramOptions.usage`. Ends as sysexits.h has it.
@main enum Program {
  static func main() {
    let options: ProgramOptions
    do throws(ProgramOptions.Fault) {
      options = try ProgramOptions(Array(CommandLine.arguments.dropFirst()))
    } catch {
      end("\(error.text)\n\(ProgramOptions.usage)", EX_USAGE)
    }
    if options.showsHelp {
      print(ProgramOptions.usage)
      exit(EX_OK)
    }
    let faults = options.faults.map(schedule) ?? .none
    do throws(SystemError) { try serve(options, faults) } catch { end("\(error)", EX_OSERR) }
  }

  private static func serve(_ options: ProgramOptions, _ faults: FaultSchedule) throws(SystemError) {
    let signals = try terminationSignals()
    let service = SimulatorService(JamfServer(options.server, faults: faults), until: signals)
    let listener = try HTTPListener(.loopback(port: options.port))
    let server = try HTTPServer { service.answer($0) }
    say("http://\(listener.address)", to: STDOUT_FILENO)
    try server.run(on: listener, until: signals)
  }

  /// A descriptor that is readable when the program is to end.
  private static func terminationSignals() throws(SystemError) -> Int32 {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGTERM, SIGINT] { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let number = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard number >= 0 else { throw SystemError("signalfd", errno) }
    return number
  }

  private static func schedule(_ path: String) -> FaultSchedule {
    guard let file = fopen(path, "r") else { end("\(path): \(SystemError("open", errno))", EX_NOINPUT) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_537)
    let count = fread(&bytes, 1, bytes.count, file)
    do throws(JSONFault) { return try FaultSchedule.decode(Array(bytes[..<count])) } catch {
      end("\(path):\(error.line):\(error.column): \(error.pointer) \(error.reason)", EX_DATAERR)
    }
  }

  private static func end(_ text: String, _ status: Int32) -> Never {
    say("jamf-simulator: \(text)", to: STDERR_FILENO)
    exit(status)
  }

  /// Writes a line at once: whoever started this waits for the first one.
  private static func say(_ line: String, to descriptor: Int32) {
    let bytes = Array((line + "\n").utf8)
    write(descriptor, bytes, bytes.count)
  }
}
