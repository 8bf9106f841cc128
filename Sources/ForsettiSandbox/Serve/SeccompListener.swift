import CLinux
import Glibc

/// The supervisor's hold on a child's seccomp listener: the calls of seccomp_unotify(2), typed.
/// It owns nothing; whoever took the descriptor closes it.
public struct SeccompListener: Sendable, Hashable {
  /// The listener, non-blocking or readable when asked.
  public let descriptor: Int32

  /// Wraps a listener taken with pidfd_getfd(2).
  public init(descriptor: Int32) { self.descriptor = descriptor }

  /// What came of an answer.
  public enum Delivery: Sendable, Hashable {
    case delivered
    /// The caller is gone or was interrupted: the call needs no answer any more.
    case obsolete
    /// The kernel refused the answer with this error number.
    case failed(errno: Int32)
  }

  /// The next call that waits; `nil` when it was withdrawn between the wake and the read.
  /// Blocks when none waits, so ask only after poll(2) or epoll(7) said readable.
  public func receive() throws(ListenerError) -> SeccompNotification? {
    var raw = seccomp_notif()
    let result = cl_notification_receive(descriptor, &raw)
    switch result {
    case 0: break
    case -ENOENT, -EINTR, -EAGAIN: return nil
    default: throw ListenerError(errno: -result)
    }
    let registers = raw.data.args
    return SeccompNotification(
      id: raw.id, thread: Int32(bitPattern: raw.pid), number: raw.data.nr,
      arguments: .init(registers.0, registers.1, registers.2, registers.3, registers.4, registers.5),
      instructionPointer: raw.data.instruction_pointer)
  }

  /// Whether the call still waits. Ask after reading the caller's memory: only then was it the caller's.
  public func isWaiting(_ id: UInt64) -> Bool { cl_notification_is_valid(descriptor, id) == 0 }

  /// Lets the kernel carry the call out.
  public func `continue`(_ id: UInt64) -> Delivery {
    send(seccomp_notif_resp(id: id, val: 0, error: 0, flags: UInt32(SECCOMP_USER_NOTIF_FLAG_CONTINUE)))
  }

  /// Lets the call fail with this error number.
  public func fail(_ id: UInt64, errno: Int32) -> Delivery {
    send(seccomp_notif_resp(id: id, val: 0, error: -errno, flags: 0))
  }

  /// Makes a copy of the descriptor the call's result, close-on-exec, as the caller's lowest free number.
  public func answer(_ id: UInt64, with source: Int32) -> Delivery {
    Self.delivery(of: cl_notification_answer_descriptor(descriptor, id, source, 1))
  }

  private func send(_ response: seccomp_notif_resp) -> Delivery {
    var response = response
    return Self.delivery(of: cl_notification_send(descriptor, &response))
  }

  private static func delivery(of result: Int32) -> Delivery {
    switch result {
    case 0...: .delivered
    // EINPROGRESS: an answer is already on its way.
    case -ENOENT, -EINPROGRESS: .obsolete
    default: .failed(errno: -result)
    }
  }
}

/// The listener itself failed; there is nothing more to serve.
public struct ListenerError: Error, Sendable, Hashable {
  /// What the kernel said.
  public var errno: Int32

  /// Makes an error.
  public init(errno: Int32) { self.errno = errno }
}
