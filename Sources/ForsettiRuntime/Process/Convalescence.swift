import ForsettiBlocking

/// A module that crashed lately, from its spawning until it has run long enough: it keeps to the processors that are set
/// aside, and as long as there is one such module, the reactor keeps to the others.
@ReactorActor final class Convalescence {
  private static var count = 0 {
    didSet {
      // The calling thread is the reactor.
      if (oldValue == 0) != (count == 0) { ProcessorShares.current.keep(to: count > 0 ? .calls : .all) }
    }
  }

  private var isOver = false

  /// Begins; the process starts on the share that is set aside.
  init() { Self.count += 1 }

  /// The process has ended.
  func end() {
    guard !isOver else { return }
    isOver = true
    Self.count -= 1
  }

  /// It is stable: its process runs where the others do.
  func end(of pid: Int32) {
    guard !isOver else { return }
    ProcessorShares.current.keep(pid, to: .all)
    end()
  }
}
