import Synchronization

/// Tells a person at a terminal what is going on when it takes longer than a second, and takes the line back.
final class Progress: Sendable {
  private enum State { case waiting, shown, ended }

  private let stream: OutputStream
  private let state = Mutex(State.waiting)

  /// Starts to count. Says nothing where nobody watches.
  init(_ text: String, on stream: OutputStream, isQuiet: Bool = false) {
    self.stream = stream
    guard stream.isTerminal, !isQuiet else { return }
    Task { [weak self] in
      try? await Task.sleep(for: .seconds(1))
      self?.show(text)
    }
  }

  private func show(_ text: String) {
    state.withLock { state in
      guard state == .waiting else { return }
      state = .shown
      // A terminal that is gone needs no progress.
      try? stream.write("\(text) …")
    }
  }

  /// Takes the line back. What is written afterwards starts at the left.
  func end() {
    state.withLock { state in
      if state == .shown { try? stream.write("\r\u{1B}[K") }
      state = .ended
    }
  }
}

/// Tells a person at a terminal how far something long has come, on one line that is written anew each time.
struct ProgressLine: Sendable {
  private static let clear = "\r\u{1B}[K"
  private let stream: OutputStream

  /// Says nothing where nobody watches.
  init(on stream: OutputStream) { self.stream = stream }

  /// Replaces the line. A terminal that is stuck is passed over.
  func show(_ text: String) { if stream.isTerminal { stream.offer(Self.clear + text) } }

  /// Takes the line back.
  func end() { if stream.isTerminal { stream.offer(Self.clear) } }
}
