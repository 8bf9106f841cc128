import ForsettiRuntime
import Glibc

/// The folder of what lives only as long as the supervisor: today its process ID, for whoever looks after it.
struct RuntimeFolder {
  private let file: String

  /// Makes the folder (0700) if it is not there.
  static func make(_ path: String) throws(CommandFailure) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw failure(.cannotCreate, "cannot make the runtime folder \(path)", errno)
    }
  }

  /// Checks the folder, and writes `supervisor.pid` into it.
  init(_ path: String) throws(CommandFailure) {
    try Self.check(path)
    file = path + "/supervisor.pid"
    let descriptor = try Self.open(file)
    // Held as long as this process: two supervisors with states of their own must not share a runtime folder.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw CommandFailure(
        status: .temporaryFailure,
        message: "another supervisor uses the runtime folder \(path); name another with --runtime-dir")
    }
    ftruncate(descriptor, 0)
    let text = Array("\(getpid())\n".utf8)
    guard write(descriptor, text, text.count) == text.count else {
      throw Self.failure(.ioError, "cannot write \(file)", errno)
    }
  }

  /// Takes the file away again.
  func clear() { unlink(file) }

  private static func check(_ path: String) throws(CommandFailure) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw failure(.cannotCreate, "cannot look at the runtime folder \(path)", errno)
    }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() || status.st_uid == 0,
      status.st_mode & (S_IWGRP | S_IWOTH) == 0
    else {
      throw CommandFailure(
        status: .noPermission,
        message: "the runtime folder \(path) must be a folder of root or yours that nobody else can write; "
          + "mend it or name another with --runtime-dir")
    }
  }

  private static func open(_ file: String) throws(CommandFailure) -> Int32 {
    // O_NONBLOCK: a FIFO put there must not hold us until a reader comes.
    let descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let status: ExitStatus = errno == EACCES || errno == EROFS ? .noPermission : .cannotCreate
      throw failure(status, "cannot write \(file)", errno)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw CommandFailure(status: .cannotCreate, message: "\(file) is no regular file; take it away")
    }
    return descriptor
  }

  private static func failure(_ status: ExitStatus, _ what: String, _ code: Int32) -> CommandFailure {
    CommandFailure(status: status, message: "\(what): \(SystemError.text(of: code))")
  }
}
