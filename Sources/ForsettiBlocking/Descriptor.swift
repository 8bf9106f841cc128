import Glibc

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
