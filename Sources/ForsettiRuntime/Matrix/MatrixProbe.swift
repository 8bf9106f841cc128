import CLinux
import ForsettiSandbox
import Glibc

/// One probe process and the conversation with it. The supervisor's part is played by a recorder: it lets every call that
/// the filter hands over fail with an errno of its own, so that one process outlives them all.
struct MatrixProbe: ~Copyable {
  /// A call and how it ended.
  struct Outcome: Sendable {
    let call: ProbedCall
    let end: End
  }

  /// How a call ended.
  enum End: Sendable {
    case reachedKernel
    case handedOver(SeccompNotification)
    case killed
    case lost
  }

  private let path: String
  private let process: HelperProcess

  var pid: pid_t { process.pid }

  /// No kernel call fails with it: the largest number that a result can be an error by.
  private static let answer: Int32 = 4_095
  /// A call that reached the kernel and waits there.
  private static let patience: Int64 = 2_000_000_000

  init(path: String) throws(SyscallMatrixError) {
    self.path = path
    do throws(SystemError) { process = try HelperProcess(path: path) } catch {
      throw .probe(path: path, error)
    }
  }

  /// Lets the probe make the calls under a filter.
  /// - Returns: those that were made; fewer where one took the probe with it, which is then the last.
  func outcomes(
    of calls: [ProbedCall], filter: FilterProgram
  ) throws(SyscallMatrixError) -> [Outcome] {
    let alone = calls.filter(\.endsCaller)
    let shared = calls.filter { !$0.endsCaller }
    do throws(SystemError) { try send(filter, alone, shared) } catch { throw .probe(path: path, error) }
    var outcomes: [Outcome] = []
    for call in alone {
      guard let value = nextResult() else { return outcomes + [Outcome(call: call, end: .lost)] }
      outcomes.append(Outcome(call: call, end: Self.end(of: call, value)))
    }
    guard let number = nextResult() else { throw .notLocked(path: path) }
    return try outcomes + record(shared, listener: Int32(truncatingIfNeeded: number))
  }

  // MARK: Calls with a process of their own

  /// A filter ends its process by SIGSYS; a kernel without the i386 table faults at the gate. What a filter hands
  /// over without a listener fails, and the probe's child then traps itself.
  private static func end(of call: ProbedCall, _ value: Int64) -> End {
    let (code, status) = (Int32(truncatingIfNeeded: value >> 32), Int32(truncatingIfNeeded: value))
    let isSignal = code == Int32(CLD_KILLED) || code == Int32(CLD_DUMPED)
    if isSignal, status == SIGSYS || (call.way == .i386 && status == SIGSEGV) { return .killed }
    if isSignal, status == SIGILL, call.way == .native {
      return .handedOver(
        SeccompNotification(
          id: 0, thread: 0, number: Int32(bitPattern: call.number), arguments: .init(call.arguments)))
    }
    return code == Int32(CLD_EXITED) || isSignal ? .reachedKernel : .lost
  }

  // MARK: Calls that one process outlives

  private func record(
    _ calls: [ProbedCall], listener number: Int32
  ) throws(SyscallMatrixError) -> [Outcome] {
    let copy = cl_pidfd_getfd(process.pidfd.number, number)
    guard copy >= 0 else { throw .probe(path: path, SystemError("pidfd_getfd", -copy)) }
    let owner = Descriptor(owning: copy)
    let listener = SeccompListener(descriptor: owner.number)
    do throws(SystemError) { try process.send([0]) } catch { throw .probe(path: path, error) }
    var outcomes: [Outcome] = []
    for call in calls {
      var notification: SeccompNotification?
      guard let value = result(listener, &notification) else {
        return outcomes + [Outcome(call: call, end: .lost)]
      }
      // What came must be what was made: a call handed over under another number would hide.
      let isAnswered = value == -Int64(Self.answer)
      let end: End =
        switch notification {
        case let seen? where isAnswered && UInt32(bitPattern: seen.number) == call.number: .handedOver(seen)
        case nil where !isAnswered: .reachedKernel
        default: .lost
        }
      outcomes.append(Outcome(call: call, end: end))
    }
    return outcomes
  }

  /// Waits for a call's result and answers it on the way, where the filter hands it over.
  private func result(_ listener: SeccompListener, _ notification: inout SeccompNotification?) -> Int64? {
    while true {
      var polled = [
        pollfd(fd: process.answers.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = cl_ppoll(&polled, 2, Self.patience)
      if count == -EINTR { continue }
      guard count > 0 else { return nil }
      // A result first: a call that waits beside it is the next one. It is asked for anew, as a poll looks at one
      // descriptor after the other and both may have come between the two looks.
      if polled[0].revents != 0 || cl_ppoll(&polled, 1, 0) == 1 { return readResult() }
      guard let call = try? listener.receive() else { continue }
      notification = call
      _ = listener.fail(call.id, errno: Self.answer)
    }
  }

  private func nextResult() -> Int64? {
    let deadline = monotonicNanoseconds() &+ UInt64(Self.patience)
    return HelperProcess.wait(for: process.answers.number, until: deadline) ? readResult() : nil
  }

  /// Eight bytes; the probe writes them at once, and a pipe keeps them together.
  private func readResult() -> Int64? {
    var value: Int64 = 0
    let count = withUnsafeMutableBytes(of: &value) { read(process.answers.number, $0.baseAddress, $0.count) }
    return count == MemoryLayout<Int64>.size ? value : nil
  }

  // MARK: The request

  private func send(
    _ filter: FilterProgram, _ alone: [ProbedCall], _ shared: [ProbedCall]
  ) throws(SystemError) {
    var bytes: [UInt8] = []
    func append(_ word: UInt32) { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    append(UInt32(filter.count))
    append(UInt32(alone.count))
    append(UInt32(shared.count))
    append(geteuid() == 0 ? Self.nobody : 0)
    bytes += filter.bytes
    for call in alone + shared {
      append(call.way == .i386 ? 2 : call.endsCaller ? 1 : 0)
      append(call.number)
      for argument in call.arguments { withUnsafeBytes(of: argument.littleEndian) { bytes += $0 } }
    }
    try process.send(bytes)
  }

  /// Whom the probe becomes where it would be root.
  private static let nobody: UInt32 = 65_534
}
