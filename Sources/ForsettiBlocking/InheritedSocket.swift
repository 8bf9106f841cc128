import CLinux
import Glibc

/// A descriptor that somebody else made and says is a listening socket. Nothing of it is believed unseen.
public enum InheritedSocket {
  /// The address family of a stream socket that listens; `nil` for whatever else the descriptor is.
  public static func family(of number: Int32) -> Int32? {
    guard option(SO_TYPE, of: number) == Int32(SOCK_STREAM.rawValue), option(SO_ACCEPTCONN, of: number) == 1
    else { return nil }
    return option(SO_DOMAIN, of: number)
  }

  /// Makes it one of ours: it never blocks and goes to no child.
  public static func adopt(_ number: Int32) throws(SystemError) {
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0, fcntl(number, F_SETFD, FD_CLOEXEC) == 0
    else { throw SystemError("set up descriptor \(number)", errno) }
  }

  private static func option(_ name: Int32, of socket: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }
}
