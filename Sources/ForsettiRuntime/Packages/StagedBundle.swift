import CLinux
import Glibc

/// A stranger's files, copied beside the installed bundles under a name that discovery passes over. They are looked at
/// only here, where their owner can no longer change them; what was looked at is what is then renamed into place.
final class StagedBundle {
  /// The bundles folder.
  private let folder: TrustedFolder
  let name: String
  private var isPlaced = false

  /// Copies the three files of a bundle. Nothing else of the source is read; a link is not followed, a device or a pipe
  /// not opened for long.
  init(copying source: String, into path: String, executableBytes: Int) throws(PackageError) {
    do throws(StoreError) { try StateFolder.create(path) } catch {
      throw .unreadable(path: path, reason: error.description)
    }
    do { folder = try TrustedFolder(path) } catch { throw .untrusted(error) }
    name = ".install-\(getpid())"
    let from = open(source, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard from >= 0 else { throw .unreadable(path: source, reason: SystemError.text(of: errno)) }
    defer { close(from) }
    // One that was left by a crash under this number is of no use to anybody.
    BundleRemoval.remove(name, in: folder.descriptor)
    guard mkdirat(folder.descriptor, name, 0o700) == 0 else {
      throw .unwritable(path: folder.path(of: name), errno: errno)
    }
    let to = openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard to >= 0 else { throw .unwritable(path: folder.path(of: name), errno: errno) }
    defer { close(to) }
    let parts: [(name: String, limit: Int, mode: mode_t, isRequired: Bool)] = [
      (BundleReader.manifestName, ManifestLoader.sizeLimit, 0o600, true),
      (BundleReader.executableName, executableBytes, 0o700, true),
      (BundleReader.signatureName, MinisignSignature.fileLimit, 0o600, false),
    ]
    for part in parts {
      try Self.copy(
        part.name, from: from, at: source, to: to, limit: part.limit, mode: part.mode,
        isRequired: part.isRequired)
    }
    guard fsync(to) == 0 else { throw .unwritable(path: folder.path(of: name), errno: errno) }
  }

  deinit { if !isPlaced { BundleRemoval.remove(name, in: folder.descriptor) } }

  /// The copy, to be read like an installed bundle.
  func opened() throws(PackageError) -> TrustedFolder {
    do { return try folder.folder(name) } catch { throw .untrusted(error) }
  }

  /// Gives the copy its place in one step; what was there is removed after it. Where the disk does not take the change,
  /// it is taken back: what fails has changed nothing, and may be tried again.
  func place(as moduleID: String, replacing: Bool) throws(PackageError) {
    try rename(name, to: moduleID, exchanging: replacing)
    isPlaced = true
    let code = folder.sync()
    guard code == 0 else {
      try rename(moduleID, to: name, exchanging: replacing)
      isPlaced = false
      throw .unwritable(path: folder.path, errno: code)
    }
    if replacing { BundleRemoval.remove(name, in: folder.descriptor) }
  }

  private func rename(_ old: String, to new: String, exchanging: Bool) throws(PackageError) {
    let descriptor = folder.descriptor
    let result =
      exchanging
      ? cl_rename_exchange(descriptor, old, descriptor, new)
      : cl_rename_new(descriptor, old, descriptor, new)
    guard result == 0 else { throw .unwritable(path: folder.path(of: new), errno: -result) }
  }

  private static func copy(
    _ name: String, from source: Int32, at path: String, to target: Int32, limit: Int, mode: mode_t,
    isRequired: Bool
  ) throws(PackageError) {
    // O_NONBLOCK: a FIFO put there must not hold us until a writer comes.
    let file = openat(source, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else {
      if errno == ENOENT, !isRequired { return }
      throw .unreadable(
        path: path, reason: errno == ELOOP ? "\(name) is a link" : "\(name): \(SystemError.text(of: errno))")
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, FileKind(mode: status.st_mode) == .file else {
      throw .unreadable(path: path, reason: "\(name) is no regular file")
    }
    let copy = openat(target, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard copy >= 0 else { throw .unwritable(path: name, errno: errno) }
    defer { close(copy) }
    var left = limit
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let got = read(file, &piece, piece.count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .unreadable(path: path, reason: "\(name): \(SystemError.text(of: errno))") }
      left -= got
      guard left >= 0 else { throw .unreadable(path: path, reason: "\(name) is larger than \(limit) bytes") }
      guard got > 0 else { break }
      let failure = piece.withUnsafeBytes {
        FileWriting.write(UnsafeRawBufferPointer(rebasing: $0[..<got]), to: copy)
      }
      guard failure == 0 else { throw .unwritable(path: name, errno: failure) }
    }
    guard fsync(copy) == 0 else { throw .unwritable(path: name, errno: errno) }
  }
}

/// Taking a bundle away.
enum BundleRemoval {
  /// Removes a folder and the files in it. Of a link, which may stand where a bundle should, itself alone: what it leads to is
  /// somebody else's. What it can't remove stays under a name that discovery passes over.
  static func remove(_ name: String, in folder: Int32) {
    // Nothing is opened for it: a copy that ended for want of descriptors is taken away too.
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      unlinkat(folder, name, 0)
      return
    }
    for file in [BundleReader.manifestName, BundleReader.executableName, BundleReader.signatureName] {
      unlinkat(folder, name + "/" + file, 0)
    }
    unlinkat(folder, name, AT_REMOVEDIR)
  }
}
