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
  private let pidfd: Descriptor
  /// What it has used up, once it is reaped.
  private(set) var usage: CrashUsage?
  private var source: EventSource?

  /// The number by which pidfd_getfd(2) and others know it.
  var descriptor: Int32 { pidfd.number }

  /// Starts a module host. It is a child of the reactor's thread, so its
  /// parent-death signal holds as long as this process.
  /// - Parameters:
  ///   - executable: what is to take the host's place once it is locked; `nil` for a module of the host.
  ///   - ended: called once, when the child is reaped.
  init(
    hostPath: String, ends: borrowing ModuleEnds, executable: SealedExecutable?, on reactor: Reactor,
    ended: @escaping @ReactorActor (ProcessStatus) -> Void
  ) throws(SystemError) {
    var child: pid_t = 0
    let result = cl_spawn_host(
      hostPath, ends.input.number, ends.output.number, ends.log.number, executable?.number ?? -1, &child)
    guard result == 0 else { throw SystemError("posix_spawn", -result) }
    let number = cl_pidfd_open(child)
    guard number >= 0 else {
      cl_abandon(child)
      throw SystemError("pidfd_open", -number)
    }
    pid = child
    pidfd = Descriptor(owning: number)
    do {
      source = try reactor.watch(number, for: .readable) { [unowned self] _ in
        if let status = reap() { ended(status) }
      }
    } catch {
      cl_abandon(child)
      throw error
    }
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

  private func reap() -> ProcessStatus? {
    var code: Int32 = 0
    var status: Int32 = 0
    var used = rusage()
    let result = cl_reap(pidfd.number, &code, &status, &used)
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
