import CLinux
public import ForsettiBlocking
import Glibc

// The shared thread and its error, by the names that Runtime's API has for them.

/// A system call that failed: which, and with what errno.
public typealias SystemError = ForsettiBlocking.SystemError
/// A thread of its own for work that may block, as the executor of an actor.
public typealias BlockingExecutor = ForsettiBlocking.BlockingExecutor
/// Runs closures on a blocking thread.
public typealias BlockingWorker = ForsettiBlocking.BlockingWorker

/// A descriptor with one owner; closed when the owner lets it go.
public struct Descriptor: ~Copyable, Sendable {
  /// The kernel's number.
  public let number: Int32

  /// Takes over an open descriptor.
  public init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// Opens a path with O_CLOEXEC added.
  /// - Throws: the errno of open(2).
  public static func open(_ path: String, _ flags: Int32) throws(SystemError) -> Descriptor {
    let number = Glibc.open(path, flags | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open \(path)", errno) }
    return Descriptor(owning: number)
  }
}
