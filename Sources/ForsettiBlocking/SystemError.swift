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

  /// The call and what its errno means.
  public var description: String { "\(call): \(Self.text(of: errno))" }

  /// What an errno means, for people. strerror(3) can be asked by many threads since glibc 2.32.
  public static func text(of errno: Int32) -> String { String(cString: strerror(errno)) }
}
