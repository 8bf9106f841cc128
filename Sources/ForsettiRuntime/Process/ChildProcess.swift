import CLinux
import ForsettiCore
import Glibc

/// The module's ends of its three pipes; the supervisor lets go of them once the child has its copies.
struct ModuleEnds: ~Copyable {
  let input: Descriptor
  let output: Descriptor
  let log: Descriptor
}

/// A child by its pidfd: it is signalled and reaped through that alone, so never mistaken for another.
@ReactorActor final class ChildProcess {
  let pid: pid_t
  private nonisolated let pidfd: Descriptor
  /// What it has used up, once it has ended.
  private(set) var usage: CrashUsage?
  private var source: EventSource?

  /// The number by which pidfd_getfd(2) and others know it.
  var descriptor: Int32 { pidfd.number }

  /// Watches a child from now on.
  /// - Parameter ended: called once, when the child has ended. It is `reap`ed afterwards, by the owner.
  init(
    _ child: consuming SpawnedChild, on reactor: Reactor,
    ended: @escaping @ReactorActor (ProcessStatus) -> Void
  ) throws(SystemError) {
    pid = child.pid
    pidfd = child.pidfd
    do {
      source = try reactor.watch(pidfd.number, for: .readable) { [unowned self] _ in
        if let status = seeEnd() { ended(status) }
      }
    } catch {
      cl_abandon(pid)
      throw error
    }
  }

  /// Ends and reaps it, for want of what else it takes; nothing is reported.
  func abandon() {
    source?.cancel()
    source = nil
    cl_abandon(pid)
  }

  /// Sends a signal; one that is gone needs none.
  func signal(_ signal: Int32) {
    _ = cl_pidfd_send_signal(pidfd.number, signal)
  }

  /// A copy of one of its descriptors.
  func take(_ descriptor: Int32) throws(SystemError) -> Descriptor {
    let number = cl_pidfd_getfd(pidfd.number, descriptor)
    guard number >= 0 else { throw SystemError("pidfd_getfd", -number) }
    return try Descriptor(owning: number).raised()
  }

  /// Gives its number back to the kernel once it has ended. That takes up to a tenth of a millisecond, so it is not done where
  /// calls wait.
  nonisolated func reap() {
    var (code, status): (Int32, Int32) = (0, 0)
    _ = cl_reap(pidfd.number, &code, &status, nil)
  }

  private func seeEnd() -> ProcessStatus? {
    var (code, status): (Int32, Int32) = (0, 0)
    var used = rusage()
    let result = cl_see_end(pidfd.number, &code, &status, &used)
    guard result != 0 else { return nil }
    if result > 0 { usage = CrashUsage(used) }
    source?.cancel()
    source = nil
    // Someone else in this process took the status: all that is known is that it is gone.
    guard result > 0 else { return .signalled(SIGKILL) }
    return ProcessStatus(code: code, status: status)
  }
}

extension ProcessStatus {
  /// From the code and status of waitid(2).
  init(code: Int32, status: Int32) {
    self = code == Int32(CLD_EXITED) ? .exited(code: status) : .signalled(status)
  }
}

extension CrashUsage {
  /// Takes what getrusage(2) tells of.
  fileprivate init(_ usage: rusage) {
    func microseconds(_ time: timeval) -> Int64 { Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec) }
    self.init(
      userMicroseconds: microseconds(usage.ru_utime), systemMicroseconds: microseconds(usage.ru_stime),
      peakMemoryKiB: Int64(usage.ru_maxrss), majorFaults: Int64(usage.ru_majflt),
      minorFaults: Int64(usage.ru_minflt), voluntarySwitches: Int64(usage.ru_nvcsw),
      involuntarySwitches: Int64(usage.ru_nivcsw))
  }
}
