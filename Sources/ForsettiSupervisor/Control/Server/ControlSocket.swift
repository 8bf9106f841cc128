import CLinux
import ForsettiControlClient
import ForsettiRuntime
import Glibc

/// The control socket's file. Its folder is named by a descriptor, not by its path: a path may be longer than the
/// 107 bytes that an address of unix(7) holds, and what is checked is what is used.
enum ControlSocket {
  /// Its name in the runtime folder.
  static let name = ControlChannel.socketName
  /// O_PATH of open(2), which Swift's Glibc lacks: the folder of another user may be passed through, not read.
  private static let pathOnly: Int32 = 0o10_000_000

  /// Makes the socket and listens; one that was left behind is replaced. Nobody but the holder of the runtime folder's
  /// lock may do this.
  /// - Parameter isShared: whether others than the owner may connect. What they may do is decided by who they are.
  static func listen(in folder: String, isShared: Bool) throws(CommandFailure) -> Descriptor {
    let place = folder + "/" + name
    let directory = try open(folder: folder)
    let path = "/proc/self/fd/\(directory.number)/\(name)"
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw CommandFailure(status: .cannotCreate, message: "\(place) is no socket; take it away")
      }
      unlink(path)
    }
    let number = cl_unix_socket(0o600)
    guard number >= 0 else { throw failure("cannot make a socket", -number) }
    let socket = Descriptor(owning: number)
    let bound = cl_unix_bind(socket.number, path)
    guard bound == 0 else { throw failure("cannot bind \(place)", -bound) }
    if isShared {
      // The kernel's word on who connects decides; the folder needs to let them pass, not to be listed.
      guard chmod(path, 0o666) == 0, fstat(directory.number, &status) == 0 else {
        throw failure("cannot open \(place) to others", errno)
      }
      if status.st_uid == geteuid() {
        chmod("/proc/self/fd/\(directory.number)", status.st_mode & 0o7777 | 0o011)
      }
    }
    guard Glibc.listen(socket.number, 64) == 0 else { throw failure("cannot listen on \(place)", errno) }
    return socket
  }

  /// Takes the file away.
  static func remove(from folder: String) { unlink(folder + "/" + name) }

  private static func open(folder: String) throws(CommandFailure) -> Descriptor {
    do throws(SystemError) { return try Descriptor.open(folder, pathOnly | O_DIRECTORY | O_NOFOLLOW) } catch {
      throw failure("cannot open the runtime folder \(folder)", error.errno)
    }
  }

  private static func failure(_ what: String, _ code: Int32) -> CommandFailure {
    let isDenied = code == EACCES || code == EPERM
    return CommandFailure(
      status: isDenied ? .noPermission : .cannotCreate,
      message: "\(what): \(SystemError.text(of: code))")
  }
}
