import Glibc

/// The file that a module process runs, held open: what crashed is what is read, whatever lies at its path by then.
public enum ModuleProgram: Sendable {
  /// A module host.
  case host(HostExecutable)
  /// A bundle's own executable.
  case bundle(SealedExecutable)

  /// Its descriptor.
  var number: Int32 {
    switch self {
    case .host(let file): file.number
    case .bundle(let file): file.number
    }
  }

  /// Which file it is, as long as somebody holds it.
  var file: any AnyObject & Sendable {
    switch self {
    case .host(let file): file
    case .bundle(let file): file
    }
  }
}

/// A module host's executable, open for reading.
public final class HostExecutable: Sendable {
  private let file: Descriptor
  private let identity: FileIdentity

  var number: Int32 { file.number }

  private init(_ path: String) throws(SystemError) {
    file = try Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).raised()
    guard let identity = FileIdentity(of: file.number) else { throw SystemError("fstat \(path)", errno) }
    self.identity = identity
  }

  /// Holds each host's executable open once for all its processes, and a new one when it was replaced.
  struct Store {
    private var known: [String: HostExecutable] = [:]

    /// Opens those at these paths: from then on a process costs no further descriptor.
    init(_ paths: some Sequence<String>) {
      for path in paths { known[path] = try? HostExecutable(path) }
    }

    /// The executable that lies at a path now; `nil` where it can't be opened.
    mutating func current(_ path: String) -> HostExecutable? {
      if let held = known[path], FileIdentity(at: path) == held.identity { return held }
      known[path] = try? HostExecutable(path)
      return known[path]
    }
  }
}

/// Which file it is, and which content as far as the kernel tells.
private struct FileIdentity: Equatable {
  private let device: dev_t
  private let inode: ino_t
  private let changedSeconds: Int
  private let changedNanoseconds: Int

  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    changedSeconds = status.st_ctim.tv_sec
    changedNanoseconds = status.st_ctim.tv_nsec
  }
}
