import ForsettiCore
import Glibc

/// Why a file, or a folder above it, is not read: somebody else could change it, or it can't be read at all.
public struct TrustedFileError: Error, Sendable, Hashable {
  /// What is wrong with it.
  public enum Fault: Sendable, Hashable {
    case absent
    /// The last component is a symbolic link; links are followed in folders only.
    case symbolicLink
    /// Something else than was asked for stands there.
    case wrongKind(FileKind, expected: FileKind)
    /// It belongs to neither root nor the supervisor's own user.
    case foreignOwner(userID: UInt32)
    /// The permission bits let the group or others write.
    case writable(mode: UInt32)
    case tooLarge(limit: Int)
    /// More symbolic links on the way than the kernel itself would follow.
    case tooManyLinks
    case unreadable(errno: Int32)
  }

  /// The file or folder at fault, which may be a folder above the one that was asked for.
  public var path: String
  /// What is wrong with it.
  public var fault: Fault

  /// Makes an error.
  public init(path: String, fault: Fault) {
    self.path = path
    self.fault = fault
  }
}

/// The kinds of file of inode(7).
public enum FileKind: String, Sendable, Hashable {
  case file = "regular file"
  case folder
  case symbolicLink = "symbolic link"
  case fifo = "FIFO"
  case socket
  case device
  case unknown = "file of unknown kind"

  /// The kind that the `st_mode` of stat(2) tells.
  init(mode: UInt32) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .symbolicLink
    case S_IFIFO: self = .fifo
    case S_IFSOCK: self = .socket
    case S_IFCHR, S_IFBLK: self = .device
    default: self = .unknown
    }
  }
}

extension TrustedFileError: CustomStringConvertible {
  /// One line: which file or folder, what is wrong, and the command that mends it where there is one.
  public var description: String { "\(path): \(reason)" }

  /// The part of the line after the path.
  public var reason: String {
    switch fault {
    case .absent: "does not exist"
    case .symbolicLink: "is a symbolic link; name the file itself"
    case .wrongKind(let found, let expected): "is a \(found.rawValue), not a \(expected.rawValue)"
    case .foreignOwner(let userID):
      "belongs to user ID \(userID), who could change it; mend: chown \(geteuid()) \(path.shellWord)"
    case .writable(let mode):
      "may be changed by \(writers(mode)); mend: chmod \(mendingMode(mode)) \(path.shellWord)"
    case .tooLarge(let limit): "is larger than the limit of \(limit) bytes"
    case .tooManyLinks: "leads through too many symbolic links"
    case .unreadable(let code): "cannot be read: \(SystemError.text(of: code))"
    }
  }

  private func writers(_ mode: UInt32) -> String {
    switch (mode & S_IWGRP != 0, mode & S_IWOTH != 0) {
    case (true, true): "its group and everybody else"
    case (true, false): "its group"
    default: "everybody"
    }
  }

  private func mendingMode(_ mode: UInt32) -> String {
    switch (mode & S_IWGRP != 0, mode & S_IWOTH != 0) {
    case (true, true): "go-w"
    case (true, false): "g-w"
    default: "o-w"
    }
  }
}
