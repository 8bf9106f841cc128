import Glibc

/// The folder that holds the state, and the lock that keeps a second supervisor out of it.
struct StateFolder: ~Copyable {
  /// The files in it; SQLite adds `-wal` and `-shm` beside the database.
  static let databaseName = "state.sqlite"
  static let lockName = "lock"

  /// A tenth of a second for a holder that is about to be gone.
  private static let lockTries = 11
  private static let lockPause: UInt32 = 10_000

  private let folder: TrustedFolder

  /// Opens the folder, which must belong to root or the effective user, and be writable by nobody else.
  init(_ path: String) throws(StoreError) {
    folder = try Self.opened(path)
  }

  private static func opened(_ path: String) throws(StoreError) -> TrustedFolder {
    let folder: TrustedFolder
    do { folder = try TrustedFolder(path) } catch { throw .untrusted(error) }
    var status = stat()
    guard fstat(folder.descriptor, &status) == 0 else {
      throw .untrusted(TrustedFileError(path: path, fault: .unreadable(errno: errno)))
    }
    // Sticky will do for a folder above, but here anyone could put a file under a name that SQLite will use.
    if let fault = Trust.fault(of: status) {
      throw .untrusted(TrustedFileError(path: folder.path, fault: fault))
    }
    return folder
  }

  /// The folder's real path.
  var path: String { folder.path }

  /// The database's path.
  var databasePath: String { folder.path(of: Self.databaseName) }

  /// Makes a folder of mode 0700, and those above it that are missing.
  static func create(_ path: String) throws(StoreError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let code = errno
    let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
    let parent = TrustedFile.split(trimmed).folder
    guard code == ENOENT, parent != path, !path.isEmpty else {
      throw .folderNotCreated(path: path, errno: code)
    }
    try create(parent)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw .folderNotCreated(path: path, errno: errno)
    }
  }

  /// Takes the exclusive lock; it ends with the descriptor, so also when this process is killed.
  func lock() throws(StoreError) -> Descriptor {
    let lockPath = folder.path(of: Self.lockName)
    let number = openat(folder.descriptor, Self.lockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw Self.notOpened(lockPath, errno) }
    let file = Descriptor(owning: number)
    try check(file.number, path: lockPath)
    var tries = 0
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK else { throw .unwritable(path: lockPath, errno: errno) }
      // A child that the last holder was just spawning keeps the lock until its exec closes the descriptor.
      tries += 1
      guard tries < Self.lockTries else {
        throw .locked(path: folder.path, processID: Self.holder(file.number))
      }
      usleep(Self.lockPause)
    }
    // For the message of whoever comes second; without it (no room) the lock holds all the same.
    ftruncate(file.number, 0)
    let text = "\(getpid())\n"
    _ = pwrite(file.number, text, text.utf8.count, 0)
    return file
  }

  /// Makes the database file if it is not there; SQLite then opens what is known to be ours.
  func createDatabaseFile() throws(StoreError) {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = openat(folder.descriptor, Self.databaseName, flags, 0o600)
    if file >= 0 {
      close(file)
    } else if errno != EEXIST {
      throw Self.notOpened(databasePath, errno)
    }
    guard try hasDatabaseFile() else { throw .unwritable(path: databasePath, errno: ENOENT) }
  }

  /// Whether there is a database file; it must be a regular file of ours.
  ///
  /// Asked by path: opening and closing the file would drop the locks that this process holds on it (fcntl(2)).
  func hasDatabaseFile() throws(StoreError) -> Bool {
    var status = stat()
    guard fstatat(folder.descriptor, Self.databaseName, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      guard errno == ENOENT else { throw .unwritable(path: databasePath, errno: errno) }
      return false
    }
    try Self.check(status, path: databasePath)
    return true
  }

  private func check(_ file: Int32, path: String) throws(StoreError) {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unwritable(path: path, errno: errno) }
    try Self.check(status, path: path)
  }

  private static func check(_ status: stat, path: String) throws(StoreError) {
    let kind = FileKind(mode: status.st_mode)
    guard kind == .file else {
      throw .untrusted(TrustedFileError(path: path, fault: .wrongKind(kind, expected: .file)))
    }
    if let fault = Trust.fault(of: status) {
      throw .untrusted(TrustedFileError(path: path, fault: fault))
    }
  }

  private static func notOpened(_ path: String, _ code: Int32) -> StoreError {
    switch code {
    case ELOOP: .untrusted(TrustedFileError(path: path, fault: .symbolicLink))
    case ENOSPC, EDQUOT: .full(path: path)
    default: .unwritable(path: path, errno: code)
    }
  }

  private static func holder(_ lock: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(lock, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}
