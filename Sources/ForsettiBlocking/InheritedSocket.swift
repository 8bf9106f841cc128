import CLinux
public import ForsettiCore
import Glibc

/// A descriptor that somebody else made and says is a listening socket. Nothing of it is believed unseen.
public enum InheritedSocket {
  /// The address family of a stream socket that listens; `nil` for whatever else the descriptor is.
  public static func family(of number: Int32) -> Int32? {
    guard option(SO_TYPE, of: number) == Int32(SOCK_STREAM.rawValue), option(SO_ACCEPTCONN, of: number) == 1
    else { return nil }
    return option(SO_DOMAIN, of: number)
  }

  /// Where a stream socket listens; `nil` where it does not, or beyond this host. An abstract unix socket, or one without a
  /// name, has an empty path.
  public static func address(of number: Int32) -> ListenAddress? {
    guard family(of: number) != nil else { return nil }
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes -> ListenAddress? in
      guard let base = bytes.baseAddress,
        getsockname(number, base.assumingMemoryBound(to: sockaddr.self), &size) == 0
      else { return nil }
      switch Int32(base.load(as: sockaddr.self).sa_family) {
      case AF_INET:
        let address = base.load(as: sockaddr_in.self)
        // That one alone: of any other of 127/8 the port at 127.0.0.1, which is told of, would be anybody's.
        guard UInt32(bigEndian: address.sin_addr.s_addr) == INADDR_LOOPBACK else { return nil }
        return .loopback(port: UInt16(bigEndian: address.sin_port))
      case AF_UNIX:
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        // An abstract one begins with NUL.
        let path = bytes[offset..<max(offset, Int(size))].prefix { $0 != 0 }
        return .unix(path: String(decoding: path, as: UTF8.self))
      default: return nil
      }
    }
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
