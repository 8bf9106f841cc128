internal import Synchronization

/// A value behind a lock that is never contended in a process of one thread, where it costs one exchange; it is what
/// lets module code call, log and publish from any isolation.
///
/// Not `Mutex`: that asks the kernel for the thread's ID the first time each object file uses one, and a locked module
/// has that call answered by the supervisor. Where a policy grants threads, a waiter spins: what runs under the lock is
/// short, or one write(2).
///
/// `@unchecked Sendable`: the pointer is reached with the lock held, only.
struct Guarded<State: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let isHeld = Atomic(false)
  private let state: UnsafeMutablePointer<State>

  init(_ state: consuming State) {
    self.state = .allocate(capacity: 1)
    self.state.initialize(to: state)
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Runs `body` with the lock held. Not recursive.
  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    acquire()
    defer { isHeld.store(false, ordering: .releasing) }
    return try body(&state.pointee)
  }

  /// The same with a value that moves in: a closure can't consume what it captures, only copy it.
  borrowing func withLock<Value: ~Copyable, Result: ~Copyable>(
    moving value: consuming Value, _ body: (inout State, consuming Value) -> Result
  ) -> Result {
    acquire()
    defer { isHeld.store(false, ordering: .releasing) }
    return body(&state.pointee, value)
  }

  private borrowing func acquire() {
    while isHeld.exchange(true, ordering: .acquiring) {
      while isHeld.load(ordering: .relaxed) {}
    }
  }
}
