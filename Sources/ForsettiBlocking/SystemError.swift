import Glibc

/// A system call that failed: which, and with what errno.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Name of the call, with its object where that helps.
  public let call: String
  /// The error number.
  public let errno: Int32

  /// Makes an error.
  public init(_ call: String, _ errno: Int32) {
    self.call = call
    self.errno = errno
  }

  /// The call and strerror(3) of its errno.
  public var description: String { "\(call): \(String(cString: strerror(errno)))" }
}
