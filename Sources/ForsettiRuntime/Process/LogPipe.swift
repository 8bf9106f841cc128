import ForsettiCore
public import ForsettiIPC
import Glibc

/// What a module says for people to read. It is the module's own word: not escaped, and possibly a lie.
public enum ModuleOutput: Sendable, Hashable {
  /// A record of its logger.
  case record(LogMessage)
  /// A line of its stdout or stderr, at most 8 KiB of it; `droppedBytes` more were cut off.
  case line(String, droppedBytes: Int)
  /// So many records and lines above the rate limit were dropped before this.
  case dropped(Int)
}

/// The supervisor's end of a module's stdout and stderr. It is always drained, so that the module never blocks on it
/// for long; what comes faster than people can read is dropped and counted.
@ReactorActor final class LogPipe {
  /// Bytes read in one turn of the reactor: as many lines of nothing are a millisecond's work.
  private static let bytesPerTurn = 16_384
  /// Turns' worth read after the end: a pipe holds no more than 1 MiB, whoever else may still write to it.
  private static let turnsAtEnd = 64
  /// One buffer for all: it is empty again before the next handler runs.
  private static let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytesPerTurn, alignment: 16)

  private let descriptor: Descriptor
  private let gate: OutputGate
  private var lines = LogLines()
  private var scanner = LastWordsScanner()
  private var source: EventSource?

  init(_ descriptor: consuming Descriptor, gate: OutputGate) {
    self.descriptor = descriptor
    self.gate = gate
  }

  /// What its crash handler wrote, if it did.
  var lastWords: LastWords? { scanner.newest }

  func start(on reactor: Reactor) throws(SystemError) {
    source = try reactor.watch(descriptor.number, for: .readable) { [unowned self] _ in drain() }
  }

  /// Reads what is left and ends the watch.
  func finish() {
    for _ in 0..<Self.turnsAtEnd where source != nil { if !drain() { break } }
    close()
    scanner.finish(take)
    lines.finish { line in if gate.admits() { gate.deliver(line) } }
    gate.finish()
  }

  /// One read; false when nothing was there, or nothing more will come.
  @discardableResult private func drain() -> Bool {
    let count = read(descriptor.number, Self.buffer.baseAddress, Self.buffer.count)
    guard count > 0 else {
      if count == 0 { close() }
      return false
    }
    let bytes = UnsafeRawBufferPointer(rebasing: Self.buffer[..<count])
    scanner.feed(bytes, take)
    return true
  }

  private func take(_ text: UnsafeRawBufferPointer) {
    lines.feed(text, where: { gate.admits() }, { gate.deliver($0) })
  }

  /// Ends the watch.
  func close() {
    source?.cancel()
    source = nil
  }
}

/// Where all output of one module passes, within one rate.
@ReactorActor final class OutputGate {
  private var limit: TokenBucket
  private var dropped = 0
  /// Whether the module's runtime has said that memory was refused it. A flood may drown the line, and then it is unknown.
  private(set) var tellsOfRefusedMemory = false
  /// What passed last.
  private(set) var tail = LogTail()
  private let clock: any RuntimeClock
  /// Where lines are counted, if somebody does.
  private let meter: ModuleMeter?
  private let handler: @ReactorActor (ModuleOutput) -> Void
  private var nextNotice: UInt64 = 0

  init(
    limit: TokenBucket, clock: any RuntimeClock, meter: ModuleMeter? = nil,
    handler: @escaping @ReactorActor (ModuleOutput) -> Void
  ) {
    self.limit = limit
    self.clock = clock
    self.meter = meter
    self.handler = handler
  }

  func pass(_ record: LogMessage) {
    guard admits() else { return }
    deliver(.record(record))
  }

  /// Whether one more may pass; if not, it is counted.
  func admits() -> Bool {
    if limit.take(now: clock.now) {
      meter?.counts.logLines &+= 1
      return true
    }
    meter?.counts.logLinesDropped &+= 1
    dropped += 1
    return false
  }

  /// Hands on a line that was admitted.
  func deliver(_ line: LogLines.Line) {
    if AllocationFailure.isNamed(by: line.text) { tellsOfRefusedMemory = true }
    deliver(.line(line.text, droppedBytes: line.droppedBytes))
  }

  /// A notice is a line too: one a second says what a flood drops, not one for each line that is let through.
  private func deliver(_ output: ModuleOutput) {
    if dropped > 0, clock.now >= nextNotice {
      nextNotice = clock.now &+ 1_000_000_000
      finish()
    }
    handOn(output)
  }

  private func handOn(_ output: ModuleOutput) {
    tail.add(output, at: clock.now)
    handler(output)
  }

  /// Tells what was dropped, if anything was.
  func finish() {
    guard dropped > 0 else { return }
    let count = dropped
    dropped = 0
    handOn(.dropped(count))
  }
}
