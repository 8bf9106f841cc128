import CLinux
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
