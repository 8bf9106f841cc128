import ForsettiCore
import ForsettiRuntime

/// Where the log lines of a run go, by its options.
@ReactorActor
struct RunLog {
  let logger: RuntimeLogger

  /// Opens what the lines are written to.
  /// - Parameter history: keeps what `logs` shows.
  init(
    _ options: RunOptions, to output: LogOutput, _ history: LogHistory, errorsAreTerminal: Bool
  ) throws(CommandFailure) {
    // At a terminal the report says what went well; elsewhere the log is the record of it.
    let standard: LogLevel = options.quiet ? .error : errorsAreTerminal ? .warning : .info
    let level = options.logLevel ?? standard
    let sink = try Self.sink(options.logFormat, output)
    // Whoever asks by `logs` sees what went well too.
    logger = RuntimeLogger(level: .lesser(level, .info), sinks: [LeveledLogSink(level, sink), history])
  }

  private static func sink(
    _ format: LogFormat, _ output: LogOutput
  ) throws(CommandFailure) -> any LogSink {
    switch format {
    case .text: return TextLogSink(output, isColoured: output.wantsColour)
    case .json: return JSONLogSink(output)
    case .journald:
      do throws(SystemError) { return try JournalLogSink() } catch {
        throw CommandFailure(
          status: .unavailable, message: "no journal listens here: \(error); log with --log-format text")
      }
    }
  }
}
