import CLinux
import ForsettiBlocking
import ForsettiCore
import Glibc

/// The folder of one module's exports, held open, and what is in it.
final class ExportFolder {
  /// Its path, for the answers.
  let path: String
  private let descriptor: Int32
  private(set) var files = 0
  private(set) var bytes: Int64 = 0

  /// Opens the folder in `parent`, or makes it.
  init(_ name: String, in parent: Int32, path: String) throws(ServiceError) {
    self.path = path
    if mkdirat(parent, name, 0o700) != 0, errno != EEXIST { throw FileFault.error("mkdir", errno) }
    let opened = cl_open_beneath(parent, name, UInt64(O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0)
    guard opened >= 0 else { throw FileFault.error("open", -opened) }
    descriptor = opened
    count()
  }

  deinit { close(descriptor) }

  /// Counts again: people take files away.
  func count() {
    files = 0
    bytes = 0
    for name in FolderNames.all(in: descriptor) {
      var status = stat()
      guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      files += 1
      bytes += Int64(status.st_size)
    }
  }

  /// Gives a finished draft its name, or that name with a number where it is taken; on the disk at return.
  func adopt(_ draft: String, from drafts: Int32, as name: String, size: Int) throws(ServiceError) -> String {
    var candidate = name
    var number = 1
    while true {
      let result = cl_rename_new(drafts, draft, descriptor, candidate)
      if result == 0 { break }
      guard result == -EEXIST else { throw FileFault.error("rename", -result) }
      number += 1
      guard number <= 10_000 else { throw .quotaExceeded("too many exports of one name") }
      candidate = ExportName.numbered(name, number)
    }
    files += 1
    bytes += Int64(size)
    guard fsync(descriptor) == 0 else { throw FileFault.error("fsync", errno) }
    return path + "/" + candidate
  }
}

/// What goes wrong with files, as a module is told of it.
enum FileFault {
  static func error(_ call: String, _ code: Int32) -> ServiceError {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .quotaExceeded("no room left on the disk")
    default: .failed(code: "io", message: "\(call): \(SystemError.text(of: code))")
    }
  }
}
