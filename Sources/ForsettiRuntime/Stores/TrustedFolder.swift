import Glibc

/// A folder that nobody but root and the supervisor's own user can change, held open by a descriptor.
///
/// The way to it is walked from the root, one openat(2) a component, so that what was checked is what is
/// open: a folder renamed or replaced meanwhile changes nothing. Each folder on the way, and each that a
/// symbolic link on the way leads through, must belong to root or the effective user and give the group and
/// others no write; sticky ones (/tmp) are accepted, as only owners can rename or remove entries there.
public struct TrustedFolder: ~Copyable {
  /// The folder's own path: absolute, without links, `.` and `..`.
  public let path: String
  /// O_PATH: good for openat(2) and fstat(2), which need no read permission on the folder.
  let descriptor: Int32

  /// Walks to a folder and checks the way. A relative path starts at the working directory.
  public init(_ path: String) throws(TrustedFileError) {
    var walk = try FolderWalk(to: path)
    try walk.run()
    self.path = walk.path
    descriptor = walk.takeDescriptor()
  }

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Opens a folder directly in this one; a link is refused.
  func folder(_ name: String) throws(TrustedFileError) -> TrustedFolder {
    let number = openat(descriptor, name, FolderWalk.pathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else {
      guard errno == ENOTDIR else { throw fault(name, .unreadable(errno: errno)) }
      var status = stat()
      let isSeen = fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      throw fault(
        name, .wrongKind(isSeen ? FileKind(mode: status.st_mode) : .unknown, expected: .folder))
    }
    let folder = TrustedFolder(path: path(of: name), descriptor: number)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw fault(name, .unreadable(errno: errno)) }
    if let found = Trust.fault(ofPassage: status) { throw fault(name, found) }
    return folder
  }

  /// Reads a file directly in this folder, whole.
  ///
  /// - Parameters:
  ///   - name: one path component.
  ///   - limit: the largest size accepted, in bytes; nothing is allocated for a larger file.
  public func read(_ name: String, limit: Int) throws(TrustedFileError) -> [UInt8] {
    let file = try open(name)
    defer { close(file) }
    let status = try checkedStatus(file, name: name)
    let size = Int(status.st_size)
    guard size <= limit else { throw fault(name, .tooLarge(limit: limit)) }
    // One byte more than fstat promised: a short read is the end of the file, a full one means that it grew.
    var bytes = try readUp(to: size + 1, enough: size, of: file, name: name)
    if bytes.count > size {
      lseek(file, 0, SEEK_SET)
      bytes = try readUp(to: limit + 1, enough: limit + 1, of: file, name: name)
    }
    guard bytes.count <= limit else { throw fault(name, .tooLarge(limit: limit)) }
    return bytes
  }

  /// Hands a file directly in this folder over in pieces, first to last, without holding it whole.
  ///
  /// - Parameters:
  ///   - name: one path component.
  ///   - limit: the largest size accepted, in bytes; no piece of a larger file is handed over.
  ///   - body: takes a piece; false ends it.
  func pour(
    _ name: String, limit: Int, into body: (UnsafeRawBufferPointer) -> Bool
  ) throws(TrustedFileError) {
    let file = try open(name)
    defer { close(file) }
    let status = try checkedStatus(file, name: name)
    guard Int(status.st_size) <= limit else { throw fault(name, .tooLarge(limit: limit)) }
    var left = limit
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let got = Glibc.read(file, &piece, piece.count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw fault(name, .unreadable(errno: errno)) }
      // It may have grown since it was looked at.
      left -= got
      guard left >= 0 else { throw fault(name, .tooLarge(limit: limit)) }
      guard got > 0, piece.withUnsafeBytes({ body(UnsafeRawBufferPointer(rebasing: $0[..<got])) }) else {
        return
      }
    }
  }

  /// The entries of this folder, in no order; `.` and `..` left out.
  func entries() throws(TrustedFileError) -> [FolderEntry] {
    let listing = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard listing >= 0 else { throw TrustedFileError(path: path, fault: .unreadable(errno: errno)) }
    guard let stream = fdopendir(listing) else {
      let code = errno
      close(listing)
      throw TrustedFileError(path: path, fault: .unreadable(errno: code))
    }
    defer { closedir(stream) }
    var found: [FolderEntry] = []
    errno = 0
    while let entry = readdir(stream) {
      if let entry = FolderEntry(entry, in: descriptor) { found.append(entry) }
      errno = 0
    }
    guard errno == 0 else { throw TrustedFileError(path: path, fault: .unreadable(errno: errno)) }
    return found
  }

  /// Waits until what was made, named anew and taken away in the folder is on the disk: that of its files is not enough
  /// (fsync(2)).
  /// - Returns: the errno of what failed, or 0.
  func sync() -> Int32 {
    // The folder's own descriptor names it only (O_PATH).
    let listing = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard listing >= 0 else { return errno }
    defer { close(listing) }
    return fsync(listing) == 0 ? 0 : errno
  }

  /// The path of an entry, for messages.
  func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

  /// Checks a file that is executed and need not be readable.
  func check(_ name: String) throws(TrustedFileError) {
    let file = try open(name, FolderWalk.pathOnly)
    defer { close(file) }
    _ = try checkedStatus(file, name: name)
  }

  private func open(_ name: String, _ access: Int32 = O_RDONLY) throws(TrustedFileError) -> Int32 {
    // O_NONBLOCK: a FIFO put there must not hold us until a writer comes.
    let file = openat(descriptor, name, access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file < 0 else { return file }
    switch errno {
    case ENOENT: throw fault(name, .absent)
    case ELOOP: throw fault(name, .symbolicLink)
    case ENXIO: throw fault(name, .wrongKind(.socket, expected: .file))
    case let code: throw fault(name, .unreadable(errno: code))
    }
  }

  private func checkedStatus(_ file: Int32, name: String) throws(TrustedFileError) -> stat {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw fault(name, .unreadable(errno: errno)) }
    let kind = FileKind(mode: status.st_mode)
    guard kind == .file else { throw fault(name, .wrongKind(kind, expected: .file)) }
    if let found = Trust.fault(of: status) { throw fault(name, found) }
    return status
  }

  /// Reads to the end or to `capacity`; a short read after `enough` bytes is taken for the end.
  private func readUp(
    to capacity: Int, enough: Int, of file: Int32, name: String
  ) throws(TrustedFileError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = 0
      while count < capacity, let base = buffer.baseAddress {
        let got = Glibc.read(file, base + count, capacity - count)
        if got > 0 {
          count += got
          if count >= enough { return }
        } else if got == 0 {
          return
        } else if errno != EINTR {
          failure = errno
          return
        }
      }
    }
    guard failure == 0 else { throw fault(name, .unreadable(errno: failure)) }
    return bytes
  }

  private func fault(_ name: String, _ fault: TrustedFileError.Fault) -> TrustedFileError {
    TrustedFileError(path: path(of: name), fault: fault)
  }
}

/// One entry of a folder.
struct FolderEntry {
  /// `nil` where the name is no UTF-8.
  var name: String?
  /// The name as bytes are shown: invalid ones replaced.
  var shownName: String
  var kind: FileKind

  /// Reads a directory entry; file systems that tell no kind are asked by fstatat(2).
  fileprivate init?(_ entry: UnsafeMutablePointer<dirent>, in folder: Int32) {
    let read = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
      tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { pointer in
        (
          String(validatingCString: pointer), String(cString: pointer),
          FolderEntry.status(pointer, folder, entry)
        )
      }
    }
    guard read.1 != ".", read.1 != ".." else { return nil }
    (name, shownName, kind) = read
  }

  private static func status(
    _ name: UnsafePointer<CChar>, _ folder: Int32, _ entry: UnsafeMutablePointer<dirent>
  ) -> FileKind {
    switch Int(entry.pointee.d_type) {
    case Int(DT_REG): return .file
    case Int(DT_DIR): return .folder
    case Int(DT_LNK): return .symbolicLink
    case Int(DT_FIFO): return .fifo
    case Int(DT_SOCK): return .socket
    case Int(DT_CHR), Int(DT_BLK): return .device
    default:
      var status = stat()
      guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return .unknown }
      return FileKind(mode: status.st_mode)
    }
  }
}

/// The rule of trust, as a function of stat(2) alone.
enum Trust {
  /// What is wrong with the owner and mode of a file, or of a folder in which names are taken that nobody holds yet.
  static func fault(of status: stat) -> TrustedFileError.Fault? {
    guard status.st_uid == 0 || status.st_uid == geteuid() else {
      return .foreignOwner(userID: status.st_uid)
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) != 0 else { return nil }
    return .writable(mode: status.st_mode & 0o7777)
  }

  /// What is wrong with those of a folder on the way to what is there already: a sticky one may be written by anybody, as
  /// only owners can rename or remove entries there.
  static func fault(ofPassage status: stat) -> TrustedFileError.Fault? {
    let fault = fault(of: status)
    if case .writable = fault, status.st_mode & S_ISVTX != 0 { return nil }
    return fault
  }
}

/// Reading one file by its path.
public enum TrustedFile {
  /// Reads a file that nobody but root and the supervisor's own user can change, whole.
  ///
  /// The last component must be a regular file, never a link; folders are checked as TrustedFolder says.
  /// - Parameter limit: the largest size accepted, in bytes.
  public static func read(_ path: String, limit: Int) throws(TrustedFileError) -> [UInt8] {
    let (folder, name) = split(path)
    guard !name.isEmpty, name != ".", name != ".." else {
      throw TrustedFileError(path: path, fault: .wrongKind(.folder, expected: .file))
    }
    return try TrustedFolder(folder).read(name, limit: limit)
  }

  /// Checks that nobody but root and the supervisor's own user can change a file, which is not read.
  public static func check(_ path: String) throws(TrustedFileError) {
    let (folder, name) = split(path)
    try TrustedFolder(folder).check(name)
  }

  /// The folder of a path, and its last component, which is empty where the path names a folder.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    return (String(path[...slash]), String(path[path.utf8.index(after: slash)...]))
  }
}
