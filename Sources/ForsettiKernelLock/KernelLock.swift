public import ForsettiCore
import ForsettiLockdown
public import ForsettiModuleKit

/// The lock of every host in this package: Landlock, seccomp and what goes with them. A room of its own, because the kit
/// reaches no kernel call for it, and the lockdown knows of no modules.
public struct KernelLock: ProcessLock {
  /// Makes the lock; nothing is locked yet.
  public init() {}

  /// Applies every layer; see `Lockdown.apply`.
  public func apply(_ request: LockdownRequest) throws(LockRefusal) -> LockedProcess {
    do {
      let result = try Lockdown.apply(request)
      return LockedProcess(listener: result.listener, landlockABI: result.landlockABI)
    } catch { throw LockRefusal(error) }
  }

  /// Ends the set-up; see `Lockdown.finish`.
  public func finish(listener: Int32) throws(LockRefusal) {
    do { try Lockdown.finish(listener: listener) } catch { throw LockRefusal(error) }
  }

  /// Lets a third party's executable take over; see `Lockdown.execute`.
  public func execute(_ executable: Int32) throws(LockRefusal) -> Never {
    do { try Lockdown.execute(executable) } catch { throw LockRefusal(error) }
  }
}

extension LockRefusal {
  fileprivate init(_ failure: LockdownFailure) { self.init(step: failure.step, errno: failure.errno) }
}
