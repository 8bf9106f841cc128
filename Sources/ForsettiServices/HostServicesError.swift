public import ForsettiBlocking
import Glibc

/// Why the services could not be opened.
public enum HostServicesError: Error, Sendable, Hashable {
  /// A folder of theirs could not be made, or is no folder of ours alone.
  case folder(path: String, errno: Int32)
  /// A database could not be opened.
  case database(path: String, message: String)
  /// No thread for what blocks.
  case noThread(SystemError)
}

extension HostServicesError: CustomStringConvertible {
  /// One line: what, where, and the way out.
  public var description: String {
    switch self {
    case .folder(let path, let code):
      "services: cannot use the folder \(path): \(SystemError.text(of: code)); it must belong to the supervisor's user, mode 0700"
    case .database(let path, let message):
      "services: cannot open \(path): \(message); put back a copy, or move it away to start anew"
    case .noThread(let error):
      "services: no thread: \(error); look at `ulimit -u` and the cgroup's pids.max"
    }
  }
}
