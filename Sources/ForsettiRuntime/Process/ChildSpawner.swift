import CLinux
import ForsettiBlocking
import Glibc

/// A process that was started and that nobody watches yet.
struct SpawnedChild: ~Copyable, Sendable {
  let pid: pid_t
  let pidfd: Descriptor

  /// Ends it and takes its status, for want of anybody who would.
  consuming func abandon() { cl_abandon(pid) }
}

/// Starts module hosts on a thread of its own. posix_spawn(3) holds the thread that calls it until the child executes,
/// which it does when the scheduler gets to it: where many modules crash at once, the reactor would be held for
/// milliseconds, and every call of every neighbour with it.
///
/// The thread never ends, since PR_SET_PDEATHSIG in a child fires when the *thread* that forked it does.
enum ChildSpawner {
  private static let worker: Result<BlockingWorker, SystemError> = .init { () throws(SystemError) in
    BlockingWorker(on: try BlockingExecutor(name: "spawner", urgency: .upkeep))
  }

  /// Starts a module host; its parent-death signal holds as long as this process.
  /// - Parameters:
  ///   - executable: what is to take the host's place once it is locked; `nil` for a module of the host.
  ///   - share: the processors that it begins on.
  static func spawn(
    _ hostPath: String, _ ends: consuming ModuleEnds, executable: SealedExecutable?,
    on share: ProcessorShares.Share
  ) async throws(SystemError) -> SpawnedChild {
    let (input, output, log) = (ends.input.number, ends.output.number, ends.log.number)
    let program = executable?.number ?? -1
    let (pid, pidfd) = try await worker.get().run { () throws(SystemError) in
      // A child has the processors of the thread that started it.
      ProcessorShares.current.keep(to: share)
      return try spawnHere(hostPath, input, output, log, program)
    }
    // The child has its copies.
    withExtendedLifetime(ends) {}
    return SpawnedChild(pid: pid, pidfd: Descriptor(owning: pidfd))
  }

  /// Starts a program on the calling thread, which it ends with.
  /// - Parameter executable: -1 for none.
  static func spawnHere(
    _ path: String, _ input: Int32, _ output: Int32, _ log: Int32, _ executable: Int32
  ) throws(SystemError) -> (pid: pid_t, pidfd: Int32) {
    var child: pid_t = 0
    let result = cl_spawn_host(path, input, output, log, executable, &child)
    guard result == 0 else { throw SystemError("posix_spawn", -result) }
    let number = cl_pidfd_open(child)
    guard number >= 0 else {
      cl_abandon(child)
      throw SystemError("pidfd_open", -number)
    }
    return (child, number)
  }
}
