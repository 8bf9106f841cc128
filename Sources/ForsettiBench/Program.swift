import CLinux
import ForsettiBenchSet
import ForsettiCore
import Glibc

/// Measures this product beside the floors of the machine it runs on.
@main enum Program {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    // As the supervisor does.
    cl_keep_heap()
    do throws(BenchFailure) {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      switch options.mode {
      case .help: print(Options.usage)
      case .list: for measure in Measure.all { print(measure.name) }
      case .kit(let measure): await exit(Kit.run(measure))
      case .worker(let crew): try await Worker.run(crew)
      case .measure: exit(try measure(options))
      }
      exit(0)
    } catch {
      say("forsetti-bench: \(error)")
      exit(1)
    }
  }

  private static func measure(_ options: Options) throws(BenchFailure) -> Int32 {
    let before = Machine.load
    let isTerminal = isatty(2) == 1
    let runner = Runner(options: options) { step in
      // The line is overwritten by the next; a log of steps helps nobody.
      if isTerminal { say("\u{1B}[2K\r\(step)", end: "") }
    }
    let outcomes = try options.chosen().map { runner.run($0) }
    if isTerminal { say("\u{1B}[2K\r", end: "") }
    let report = Report(outcomes: outcomes, options: options, loads: (before, Machine.load))
    print(options.isJSON ? JSONWriter.text(report.json) : report.text)
    return report.isMet ? 0 : 1
  }
}

/// Writes a line at once, to the standard error where nothing else is said.
func say(_ text: String, end: String = "\n", to descriptor: Int32 = 2) {
  let bytes = Array((text + end).utf8)
  _ = write(descriptor, bytes, bytes.count)
}
