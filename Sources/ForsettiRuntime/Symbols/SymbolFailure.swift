public import ForsettiCore

/// Why the frames of a crash have no names. The report says so, and is complete without them.
public enum SymbolFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The executable that crashed can't be read.
  case executable(SystemError)
  /// No worker can be had.
  case worker(path: String, SystemError)
  /// The worker could not lock itself, and so read nothing.
  case notLocked(step: SandboxLayer, errno: Int32)
  /// It did not answer in time, and was killed.
  case timedOut(milliseconds: Int)
  /// It ended without an answer, as by a fault in what reads the executable.
  case ended(ProcessStatus)
  /// What it answered is no answer.
  case garbled
  /// As many reports wait for their names as may wait.
  case busy

  /// One line, with the way out where there is one.
  public var description: String {
    switch self {
    case .executable(let error): "the executable can't be read: \(error)"
    case .worker(let path, let error): "no symbol worker at \(path): \(error)"
    case .notLocked(let step, let errno):
      "the symbol worker could not lock itself: \(step.rawValue): \(ErrnoName.text(errno))"
    case .timedOut(let milliseconds): "the symbol worker did not answer within \(milliseconds) ms"
    case .ended(.exited(let code)): "the symbol worker ended with code \(code) and no answer"
    case .ended(.signalled(let signal)): "the symbol worker was ended by \(SignalName.text(signal))"
    case .garbled: "the symbol worker gave no answer that can be read"
    case .busy: "too many crashes at once wait for their names"
    }
  }
}
