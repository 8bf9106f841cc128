import ForsettiControlClient
import Glibc

/// A terminal that shows one picture after the other and reads keys without waiting for a line. It is as it was once this
/// is gone.
final class TopTerminal {
  /// What ends a wait.
  enum Happening: Equatable {
    /// Time for the next picture, or the terminal has another size.
    case next
    /// A key, a signal or the terminal's end: whoever sat there wants no more.
    case quit
  }

  /// What `wait` hears; blocked before there is any thread.
  static let signals: [Int32] = [SIGTERM, SIGINT, SIGHUP, SIGWINCH]

  private let input: TerminalInput
  private let output: OutputStream

  /// Takes the terminal.
  /// - Throws: EX_USAGE where it is none.
  init(input: Int32, output: OutputStream) throws(CommandFailure) {
    self.input = try TerminalInput(
      input, showing: output, hearing: Self.signals,
      wayOut: "top needs a terminal; with --json it needs none")
    self.output = output
    // Keys at once and unseen; Ctrl-C is one of them.
    self.input.set { $0.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG) }
    output.offer("\u{1B}[?1049h\u{1B}[?25l")
  }

  deinit {
    input.restore()
    output.offer("\u{1B}[?25h\u{1B}[?1049l")
  }

  /// Its size; 80 by 24 where it does not tell.
  var size: TopScreen.Size {
    var size = winsize()
    guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return TopScreen.Size(columns: 80, rows: 24)
    }
    return TopScreen.Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Shows a picture in place of the one before.
  func show(_ lines: [String]) {
    let painted = lines.enumerated().map { index, line in
      (index == 2 ? "\u{1B}[7m\(line)\u{1B}[0m" : line) + "\u{1B}[K"
    }
    // No line end after the last: it would move the picture up.
    output.offer("\u{1B}[H" + painted.joined(separator: "\r\n") + "\u{1B}[J")
  }

  /// A supervisor that does not answer keeps nobody here.
  var watch: ControlWatch {
    ControlWatch(polled: input.polled) { [self] in wait(milliseconds: 0) == .quit }
  }

  /// Waits for the next picture's time, or for whatever comes before it.
  func wait(milliseconds: Int32) -> Happening {
    var polled = input.polled
    guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return .next }
    if polled[1].revents != 0 {
      return input.nextSignal == SIGWINCH ? .next : .quit
    }
    guard polled[0].revents != 0 else { return .next }
    var key: UInt8 = 0
    guard read(input.number, &key, 1) == 1 else { return .quit }
    return Self.quits(key) ? .quit : .next
  }

  /// q, Q, Ctrl-C and Ctrl-D.
  static func quits(_ key: UInt8) -> Bool { [UInt8(ascii: "q"), UInt8(ascii: "Q"), 3, 4].contains(key) }
}
