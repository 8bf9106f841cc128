import CLinux
import ForsettiCore
import ForsettiIPC
import ForsettiLockdown
import Glibc

/// A worker, from the fork to its end.
enum Worker {
  /// Locks this process, says so, and performs exchanges until the supervisor is gone.
  /// - Parameter ends: where it reads and where it writes.
  static func run(
    _ lockdown: LockdownRequest, authorities: [UInt8]?, _ ends: (input: Int32, output: Int32)
  ) -> Never {
    guard take(ends) else { exit(71) }
    do throws(LockdownFailure) { try LockedHelper.lock(lockdown, landlock: .network) } catch { refuse(error) }
    holdPipeSignals()
    guard let loop = TransferLoop(authorities: authorities) else { exit(71) }
    WorkerConversation(input: Program.input, output: Program.output, loop: loop).run()
    exit(0)
  }

  private static func refuse(_ failure: LockdownFailure) -> Never {
    var queue = OutboundQueue()
    try? queue.append(NetworkAnswer.notLocked(failure.step, errno: failure.errno), exchange: 0)
    _ = queue.withPendingBytes { write(Program.output, $0.baseAddress, $0.count) }
    exit(71)
  }

  private static func take(_ ends: (input: Int32, output: Int32)) -> Bool {
    dup2(ends.input, Program.input) >= 0 && dup2(ends.output, Program.output) >= 0
  }

  /// The lock has reset what was ignored, and a handler can't be set any more: SIGPIPE of a host that has gone waits
  /// for ever instead. Threads that are made later do the same.
  private static func holdPipeSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
