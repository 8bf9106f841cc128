import ForsettiCore
import ForsettiRuntime
import Glibc

/// A terminal that asks for values, and does not show those that are secret while they are typed. It is as it was once
/// this is gone, whichever signal comes meanwhile.
final class SecretTerminal {
  /// What it hears, on its own thread; all others must have these blocked.
  static let signals: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
  /// Bytes of a line; the kernel cuts off what is longer (n_tty(4) of termios: 4,096 with the line end).
  private static let lineBytes = 4_096

  private let input: TerminalInput
  private let output: OutputStream

  /// Takes the terminal.
  /// - Throws: EX_USAGE where it is none.
  init(input: Int32, output: OutputStream) throws(CommandFailure) {
    self.input = try TerminalInput(
      input, showing: output, hearing: Self.signals,
      wayOut: "nobody is here to be asked; give the values as an object of JSON by --stdin")
    self.output = output
    SignalSource.block(Self.signals)
  }

  deinit {
    input.restore()
    SignalSource.unblock(Self.signals)
  }

  /// Asks for one value; an empty line leaves it out, and ends one of several lines.
  /// - Throws: EX_TEMPFAIL where whoever sat there wants no more.
  func ask(_ field: SecretFieldItem) throws(CommandFailure) -> String {
    // What this build does not know is not shown.
    let isSecret = field.fieldKind?.isSecret ?? true
    while true {
      if isSecret { hide() }
      // Further lines of what was pasted are nobody else's: not the next field's, and not the shell's.
      defer { if isSecret { input.restore(TCSAFLUSH) } }
      try output.write(Self.prompt(field))
      // Stopped and continued, its own prompt again, once it is in the foreground.
      guard let value = try field.fieldKind == .multilineSecret ? lines(field) : nextLine(field) else {
        continue
      }
      return value
    }
  }

  /// Lines up to an empty one; `nil` when it was stopped meanwhile.
  private func lines(_ field: SecretFieldItem) throws(CommandFailure) -> String? {
    var text = ""
    while let line = try nextLine(field) {
      if line.isEmpty { return text }
      text += line + "\n"
      guard text.utf8.count <= SecretLimits.valueBytes else {
        throw CommandFailure(status: .usage, message: "\(SecretFault.tooLong(field.fieldID))")
      }
    }
    return nil
  }

  private func nextLine(_ field: SecretFieldItem) throws(CommandFailure) -> String? {
    switch try wait() {
    case .line: try line(field)
    case .stopped: nil
    }
  }

  /// The label, and what belongs to it.
  static func prompt(_ field: SecretFieldItem) -> String {
    let notes = [
      field.choices.isEmpty ? nil : field.choices.joined(separator: ", "),
      field.fieldKind == .multilineSecret ? "several lines, then an empty one" : nil,
      field.isRequired ? nil : "optional",
    ].compactMap { $0 }
    let note = notes.isEmpty ? "" : " (" + notes.joined(separator: "; ") + ")"
    return escaped(field.label + note) + ": "
  }

  // MARK: What comes

  private enum Happening {
    case line, stopped
  }

  /// Waits for a line. A signal that ends the process does so once the terminal is as it was.
  private func wait() throws(CommandFailure) -> Happening {
    var polled = input.polled
    while poll(&polled, nfds_t(polled.count), -1) < 0 {
      guard errno == EINTR else {
        throw CommandFailure(status: .ioError, message: "the terminal: \(SystemError.text(of: errno))")
      }
    }
    guard polled[1].revents != 0, let signal = input.nextSignal else { return .line }
    input.restore()
    try output.write("\n")
    guard signal != SIGTSTP else {
      // At this thread: one at the process may be taken by another, and this one would go on for a while.
      raise(SIGSTOP)
      return .stopped
    }
    SignalSource.unblock([signal])
    kill(getpid(), signal)
    // It comes here where whoever started us has it ignored.
    throw Self.nothing
  }

  private func line(_ field: SecretFieldItem) throws(CommandFailure) -> String {
    var bytes = [UInt8](repeating: 0, count: Self.lineBytes)
    defer { wipe(&bytes) }
    let count = read(input.number, &bytes, bytes.count)
    guard count > 0 else {
      try output.write("\n")
      throw Self.nothing
    }
    // The kernel cuts a longer line, and ends it all the same.
    guard bytes[count - 1] == UInt8(ascii: "\n"), count < Self.lineBytes else {
      throw CommandFailure(
        status: .usage,
        message: "\(field.fieldID) is longer than a line of a terminal; give the values by --stdin")
    }
    guard let text = String(validating: bytes[..<(count - 1)], as: UTF8.self) else {
      throw CommandFailure(status: .usage, message: "\(field.fieldID) is no UTF-8")
    }
    return text
  }

  private static let nothing = CommandFailure(status: .temporaryFailure, message: "nothing was changed")

  /// Shows no more of what is typed than that a line has ended. What was typed before the question is no answer.
  private func hide() {
    input.set(TCSAFLUSH) { settings in
      settings.c_lflag &= ~tcflag_t(ECHO)
      settings.c_lflag |= tcflag_t(ICANON | ECHONL)
    }
  }
}
