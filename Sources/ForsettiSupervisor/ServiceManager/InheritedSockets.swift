import CLinux
import ForsettiRuntime
import Glibc

/// The sockets that the service manager has made (sd_listen_fds_with_names(3)): they are there before we are, and stay when
/// we go. Nothing of them is believed unseen.
struct InheritedSockets: Equatable {
  /// The first descriptor that is handed over (SD_LISTEN_FDS_START).
  private static let first: Int32 = 3
  /// What the console's socket unit calls its own (FileDescriptorName=). Any other name is the control socket's, which had
  /// none of its own before there were two.
  private static let consoleName = "console"

  /// The descriptor of the control socket.
  private(set) var control: Int32?
  /// The descriptor of the web console's socket.
  private(set) var console: Int32?

  /// Reads which were handed over to this process by its environment; none, where they are another's.
  init(environment: [String: String], processID: Int32 = getpid()) throws(CommandFailure) {
    guard let text = environment["LISTEN_FDS"], environment["LISTEN_PID"] == "\(processID)" else { return }
    guard let count = Int32(text), (0...1024).contains(count) else {
      throw Self.refusal("LISTEN_FDS is \(text.quoted())")
    }
    let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    guard names.isEmpty || names.count == Int(count) else {
      throw Self.refusal("LISTEN_FDNAMES names \(names.count) sockets, LISTEN_FDS says \(count)")
    }
    for index in 0..<count {
      let isConsole = !names.isEmpty && names[Int(index)] == Self.consoleName
      let place = isConsole ? \InheritedSockets.console : \.control
      guard self[keyPath: place] == nil else {
        throw Self.refusal("two \(isConsole ? "console" : "control") sockets were handed over")
      }
      self[keyPath: place] = Self.first + index
    }
  }

  /// Keeps them from whatever is started before they are taken over.
  func keepFromPrograms() {
    // What is no descriptor is found out when it is taken over.
    for number in [control, console].compactMap({ $0 }) { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
  }

  /// Takes the control socket over; `nil` where none was handed over.
  /// - Parameter place: where clients look for it.
  func takeControl(at place: String) throws(CommandFailure) -> Descriptor? {
    guard let control else { return nil }
    let socket = try Self.check(Descriptor(owning: control))
    guard case .unix(let path)? = InheritedSocket.address(of: socket.number) else {
      throw Self.refusal("descriptor \(control) has no address")
    }
    guard !Self.isSameFile(path, place) else { return socket }
    let (said, wanted) = (path.isEmpty ? "no path" : path.quoted(limit: 200), place.quoted(limit: 200))
    throw CommandFailure(
      status: .configuration,
      message: path == place
        ? "the control socket's unit listens on \(wanted), and no file is there any more; restart the socket unit"
        : "the control socket's unit listens on \(said), and clients look for \(wanted); write "
          + "ListenStream=\(place.plain()) in the socket unit instead, or disable the unit")
  }

  /// Whether both paths lead to one file: /var/run is a link to /run, and a socket unit makes links too (Symlinks=).
  private static func isSameFile(_ left: String, _ right: String) -> Bool {
    var (one, other) = (stat(), stat())
    return stat(left, &one) == 0 && stat(right, &other) == 0 && one.st_dev == other.st_dev
      && one.st_ino == other.st_ino
  }

  /// Lets a descriptor pass that is a listening stream socket of unix(7), and makes it one of ours: it never blocks and
  /// goes to no child.
  static func check(_ socket: consuming Descriptor) throws(CommandFailure) -> Descriptor {
    let number = socket.number
    guard InheritedSocket.family(of: number) == AF_UNIX else { throw refusal("descriptor \(number) is none") }
    do throws(SystemError) { try InheritedSocket.adopt(number) } catch { throw refusal("\(error)") }
    return socket
  }

  private static func refusal(_ what: String) -> CommandFailure {
    CommandFailure(
      status: .configuration,
      message:
        "\(what), where a listening unix stream socket is meant for control, and one more for the console; "
        + "see ListenStream= and FileDescriptorName= of the socket units")
  }
}
