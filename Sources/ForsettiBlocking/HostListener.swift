import CLinux
public import ForsettiCore
import Glibc

/// A socket that listens, on this host alone: for the HTTP servers beside the supervisor. Whoever gives up the right to
/// bind makes it before.
public struct HostListener: ~Copyable, Sendable {
  /// The kernel's number.
  public let number: Int32
  /// Where it listens; with the port that the kernel chose, where it was to choose.
  public let address: ListenAddress

  /// Connections that wait in the kernel. Where there is no room for one it is not refused but forgotten, and tried again
  /// after a second; so there is room for more than a server serves at once.
  private static let backlog: Int32 = 1_024

  deinit { close(number) }

  /// Makes a socket. A unix socket's file has mode 0600; one that was left behind, on which nobody listens, is replaced.
  public init(_ address: ListenAddress) throws(SystemError) {
    switch address {
    case .loopback(let port): try self.init(owning: Self.loopback(port), "listen on \(address)")
    case .unix(let path): try self.init(owning: Self.unix(path), "listen on \(address)")
    }
  }

  /// Takes over a socket that listens already, such as one from the process that started this one.
  /// - Throws: EINVAL where it is none, or listens beyond this host.
  public init(inheriting number: Int32) throws(SystemError) {
    try self.init(owning: number, "take over descriptor \(number)")
  }

  private init(owning number: Int32, _ what: String) throws(SystemError) {
    guard let address = InheritedSocket.address(of: number), (try? InheritedSocket.adopt(number)) != nil
    else {
      close(number)
      throw SystemError(what, EINVAL)
    }
    self.number = number
    self.address = address
  }

  private static func loopback(_ port: UInt16) throws(SystemError) -> Int32 {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw SystemError("socket", errno) }
    var yes: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let bound = withUnsafeBytes(of: &address) {
      bind(number, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
    guard bound == 0, listen(number, backlog) == 0 else {
      let code = errno
      close(number)
      throw SystemError("listen on \(ListenAddress.loopback(port: port))", code)
    }
    return number
  }

  private static func unix(_ path: String) throws(SystemError) -> Int32 {
    try removeLeftOver(path)
    let number = cl_unix_socket(0o600)
    guard number >= 0 else { throw SystemError("socket", -number) }
    let bound = cl_unix_bind(number, path)
    guard bound >= 0, listen(number, backlog) == 0 else {
      let code = bound < 0 ? -bound : errno
      close(number)
      throw SystemError("listen on \(path)", code)
    }
    return number
  }

  private static func removeLeftOver(_ path: String) throws(SystemError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    let number = cl_unix_socket(0o600)
    guard number >= 0 else { throw SystemError("socket", -number) }
    defer { close(number) }
    // Whoever listens answers or has no room; on a socket without a process the kernel refuses.
    if cl_unix_connect(number, path) == -ECONNREFUSED { unlink(path) }
  }
}
