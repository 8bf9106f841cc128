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

/// Starts module hosts on a thread of its own, and lets go there of those that ended. posix_spawn(3) holds the thread that calls
/// it until the child executes, which it does when the scheduler gets to it; to reap a process, and to close the last descriptors
/// of its pipes and its filter, takes the kernel some tenths of a millisecond. Where many modules crash at once, the reactor
/// would be held for as long, and every call of every neighbour with it.
///
/// The thread never ends, since PR_SET_PDEATHSIG in a child fires when the *thread* that forked it does.
enum ChildSpawner {
  private static let thread: Result<BlockingExecutor, SystemError> = .init { () throws(SystemError) in
    try BlockingExecutor(name: "spawner", urgency: .upkeep)
  }
  private static let worker = thread.map { BlockingWorker(on: $0) }

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

  /// Reaps a child that has ended, and drops what was held for it, before any child that is asked for after this is made: so
  /// what the dead hold does not grow, however fast they die.
  static func letGo(of child: ChildProcess, _ held: [any AnyObject & Sendable]) {
    // Without the thread there would be no child.
    guard let thread = try? thread.get() else { return child.reap() }
    thread.perform {
      child.reap()
      withExtendedLifetime(held) {}
    }
  }

  /// Waits until all is let go of that was handed over so far.
  static func settle() async { await (try? worker.get())?.run {} }

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
