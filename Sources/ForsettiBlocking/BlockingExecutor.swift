import CLinux
import Glibc

/// A thread of its own for work that may block (SQLite, libsodium, files), as the executor of an actor.
///
/// Jobs run one at a time, in the order they come. The thread ends when the last reference is gone.
public final class BlockingExecutor: SerialExecutor {
  /// How much of a busy processor the thread gets beside other threads.
  public enum Urgency: Sendable {
    /// As much as any, in short turns: a call waits for what it does.
    case normal
    /// As much as any, on the processors that are set aside: it works for modules that crash, too.
    case upkeep
    /// A tenth, on the same, for what nobody waits for. A thread that wakes takes the processor from this one, which it does not
    /// surely do from its like: the kernel then lets that one go on, up to its next tick.
    case background

    /// The niceness of setpriority(2).
    fileprivate var niceness: Int32 {
      switch self {
      case .normal, .upkeep: 0
      case .background: 10
      }
    }

    /// Nanoseconds of a turn, 0 for what the kernel gives everyone.
    fileprivate var slice: Int {
      switch self {
      case .normal: Int(CL_SHORT_SLICE)
      case .upkeep: 0
      case .background: Int(CL_LONGEST_SLICE)
      }
    }

    fileprivate var share: ProcessorShares.Share {
      switch self {
      case .normal: .all
      case .upkeep, .background: .aside
      }
    }
  }

  private let queue: JobQueue

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: what ps(1) shows of the thread; the kernel keeps 15 bytes.
  ///   - urgency: of the thread.
  /// - Throws: what pthread_create(3) says if there is no thread to be had.
  public init(name: String, urgency: Urgency = .normal) throws(SystemError) {
    queue = JobQueue(name: name, urgency: urgency)
    try queue.startThread()
  }

  deinit { queue.finish() }

  /// Queues a job, from any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    queue.add(.job(UnownedJob(job), self))
  }

  /// Queues a closure among the jobs, from any thread, for work whose end nobody waits for. What it holds is let go of
  /// on the thread, before the next job.
  public func perform(_ errand: @escaping @Sendable () -> Void) {
    queue.add(.errand(errand))
  }
}

/// The queue between those who enqueue and the one thread. It outlives the executor by one last look.
// @unchecked: every field is read and written under the mutex alone.
private final class JobQueue: @unchecked Sendable {
  enum Entry {
    /// With the executor it runs on, which therefore outlives it.
    case job(UnownedJob, BlockingExecutor)
    case errand(@Sendable () -> Void)
  }

  // Allocated, as pthread objects must not move.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let filled: UnsafeMutablePointer<pthread_cond_t>
  private var entries: [Entry] = []
  private var finished = false
  private let name: String
  private let urgency: BlockingExecutor.Urgency

  init(name: String, urgency: BlockingExecutor.Urgency) {
    self.name = name
    self.urgency = urgency
    mutex = .allocate(capacity: 1)
    filled = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(filled, nil)
  }

  deinit {
    pthread_cond_destroy(filled)
    pthread_mutex_destroy(mutex)
    filled.deallocate()
    mutex.deallocate()
  }

  func add(_ entry: Entry) {
    pthread_mutex_lock(mutex)
    entries.append(entry)
    pthread_cond_signal(filled)
    pthread_mutex_unlock(mutex)
  }

  func finish() {
    pthread_mutex_lock(mutex)
    finished = true
    pthread_cond_signal(filled)
    pthread_mutex_unlock(mutex)
  }

  func startThread() throws(SystemError) {
    var thread = pthread_t()
    let reference = Unmanaged.passRetained(self)
    let code = withSignalsBlocked {
      pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          Unmanaged<JobQueue>.fromOpaque(argument).takeRetainedValue().run()
          return nil
        }, reference.toOpaque())
    }
    guard code == 0 else {
      reference.release()
      throw SystemError("pthread_create", code)
    }
    pthread_detach(thread)
  }

  private func run() {
    // For ps(1) alone: a thread without its name works as well.
    _ = cl_name_thread(pthread_self(), String(name.prefix(15)))
    // Said whatever they are: the reactor, which may have started this thread, has the shortest.
    _ = cl_set_slice(UInt64(urgency.slice))
    // Of this thread alone, as Linux has it; for a gain alone, too.
    if urgency.niceness > 0 { _ = nice(urgency.niceness) }
    // The thread that starts this one, the reactor, may be kept to a share itself.
    ProcessorShares.current.keep(to: urgency.share)
    while var batch = take() {
      // Each is let go of before the next.
      while let entry = batch.popLast() {
        switch entry {
        case .job(let job, let executor): job.runSynchronously(on: executor.asUnownedSerialExecutor())
        case .errand(let errand): errand()
        }
      }
    }
  }

  /// Waits for entries, and takes them with the first one last; `nil` when the executor is gone.
  private func take() -> [Entry]? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while entries.isEmpty, !finished { pthread_cond_wait(filled, mutex) }
    guard !entries.isEmpty else { return nil }
    defer { entries = [] }
    return entries.reversed()
  }
}

/// Runs closures on a blocking thread: the way for code on the reactor to do one thing that may block.
public actor BlockingWorker {
  private let executor: BlockingExecutor

  /// Makes a worker on a thread, which it may share with others.
  public init(on executor: BlockingExecutor) { self.executor = executor }

  /// The thread, as the concurrency runtime knows it.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Runs `body` on the thread, after everything that was asked of it before.
  public func run<Result, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try body()
  }
}
