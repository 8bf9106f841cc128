import ForsettiRuntime
import Glibc

/// A terminal that somebody types at, and the signals that come meanwhile. Its settings are changed from those that it was
/// found with, so that it can be left as it was.
final class TerminalInput {
  /// Its descriptor.
  let number: Int32
  private let heard: Descriptor
  private let found: termios

  /// Takes the terminal.
  /// - Parameters:
  ///   - output: where it shows what whoever sits there reads.
  ///   - signals: what is heard beside it; all other threads must have these blocked.
  ///   - wayOut: what to do where it is no terminal.
  /// - Throws: EX_USAGE where it is none.
  init(
    _ number: Int32, showing output: OutputStream, hearing signals: [Int32], wayOut: String
  ) throws(CommandFailure) {
    var settings = termios()
    guard output.isTerminal, tcgetattr(number, &settings) == 0 else {
      throw CommandFailure(status: .usage, message: wayOut)
    }
    do throws(SystemError) { heard = try SignalSource.descriptor(signals) } catch {
      throw CommandFailure(status: .osError, message: "signals cannot be received: \(error)")
    }
    self.number = number
    found = settings
  }

  /// What is waited for: first what is typed, then the signals.
  var polled: [pollfd] {
    [number, heard.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  }

  /// The next signal that has come; `nil` where none has.
  var nextSignal: Int32? { SignalSource.next(of: heard.number) }

  /// Changes what it was found with.
  /// - Parameter when: `TCSAFLUSH` to drop what is typed already.
  func set(_ when: Int32 = TCSANOW, _ change: (inout termios) -> Void) {
    var settings = found
    change(&settings)
    tcsetattr(number, when, &settings)
  }

  /// Leaves it as it was found.
  /// - Parameter when: as in `set`.
  func restore(_ when: Int32 = TCSANOW) { set(when) { _ in } }
}
