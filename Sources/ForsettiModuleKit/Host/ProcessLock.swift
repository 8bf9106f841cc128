public import ForsettiCore
import Glibc

/// How a host locks its process. The kit knows when; the program that links the kit says how, because only that may
/// reach the kernel calls for it.
public protocol ProcessLock {
  /// Applies every layer, in order, before any module code.
  func apply(_ request: LockdownRequest) throws(LockRefusal) -> LockedProcess

  /// Closes the listener and ends the set-up, once the supervisor has what it needs.
  func finish(listener: Int32) throws(LockRefusal)

  /// Lets a third party's executable take the place of this process; returns only by failing.
  func execute(_ executable: Int32) throws(LockRefusal) -> Never
}

extension ProcessLock {
  /// A host that runs its own modules alone has no other executable.
  public func execute(_ executable: Int32) throws(LockRefusal) -> Never {
    throw LockRefusal(step: .execute, errno: ENOSYS)
  }
}

/// What the supervisor must know of a locked process.
public struct LockedProcess: Sendable, Hashable {
  /// This process's descriptor of its seccomp listener.
  public var listener: Int32
  /// The kernel's Landlock ABI; 0 where it has none and the policy lets it be missing.
  public var landlockABI: Int32

  /// Makes a value.
  public init(listener: Int32, landlockABI: Int32) {
    self.listener = listener
    self.landlockABI = landlockABI
  }
}

/// The first step of the lockdown that could not be applied, and the kernel's errno.
public struct LockRefusal: Error, Sendable, Hashable {
  /// The step.
  public var step: SandboxLayer
  /// What the kernel said.
  public var errno: Int32

  /// Makes a refusal.
  public init(step: SandboxLayer, errno: Int32) {
    self.step = step
    self.errno = errno
  }
}
