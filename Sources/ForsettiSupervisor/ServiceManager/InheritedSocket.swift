import CLinux
import ForsettiRuntime
import Glibc

/// The control socket where the service manager has made it (sd_listen_fds(3)): it is there before we are, and stays when
/// we go. Nothing of it is believed unseen.
enum InheritedSocket {
  /// The first descriptor that is handed over (SD_LISTEN_FDS_START).
  private static let first: Int32 = 3

  /// How many were handed over to this process by its environment; 0 where none was, or they are another's.
  static func count(environment: [String: String], processID: Int32) throws(CommandFailure) -> Int {
    guard let text = environment["LISTEN_FDS"], environment["LISTEN_PID"] == "\(processID)" else { return 0 }
    guard let count = Int(text), (0...1024).contains(count) else {
      throw refusal("LISTEN_FDS is \(text.quoted())")
    }
    return count
  }

  /// Takes the socket over; `nil` where none was handed over.
  static func take(
    environment: [String: String], processID: Int32 = getpid()
  ) throws(CommandFailure) -> Descriptor? {
    switch try count(environment: environment, processID: processID) {
    case 0: return nil
    case 1: return try check(Descriptor(owning: first))
    case let count: throw refusal("\(count) sockets were handed over")
    }
  }

  /// Lets a descriptor pass that is a listening stream socket of unix(7), and makes it one of ours: it never blocks and
  /// goes to no child.
  static func check(_ socket: consuming Descriptor) throws(CommandFailure) -> Descriptor {
    let number = socket.number
    guard option(SO_DOMAIN, of: number) == AF_UNIX,
      option(SO_TYPE, of: number) == Int32(SOCK_STREAM.rawValue),
      option(SO_ACCEPTCONN, of: number) == 1
    else { throw refusal("descriptor \(number) is none") }
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0, fcntl(number, F_SETFD, FD_CLOEXEC) == 0
    else { throw refusal("descriptor \(number) cannot be set up: \(String(cString: strerror(errno)))") }
    return socket
  }

  private static func option(_ name: Int32, of socket: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }

  private static func refusal(_ what: String) -> CommandFailure {
    CommandFailure(
      status: .configuration,
      message: "\(what), where the unit's socket is one listening unix stream socket; see its ListenStream=")
  }
}
