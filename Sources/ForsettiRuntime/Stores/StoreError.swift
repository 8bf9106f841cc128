/// Why the state could not be opened, read or written. Nothing is half done: the state is as it was before.
public enum StoreError: Error, Sendable, Hashable {
  /// The folder, or a file in it, could be changed by somebody else, or is no folder.
  case untrusted(TrustedFileError)
  /// The folder could not be made.
  case folderNotCreated(path: String, errno: Int32)
  /// A file in the folder could not be opened for writing.
  case unwritable(path: String, errno: Int32)
  /// Another supervisor holds this state; its process ID where the lock file told it.
  case locked(path: String, processID: Int32?)
  /// A newer Forsetti wrote this state.
  case newerVersion(path: String, found: Int, supported: Int)
  /// The file is no database, or a damaged one, or holds what no version writes.
  case damaged(path: String, reason: String)
  /// No room left: ENOSPC, EDQUOT or the file size limit.
  case full(path: String)
  /// The database is held by another process for longer than the busy timeout.
  case busy(path: String)
  /// The module user IDs of the policy's range are all given.
  case userIDsExhausted(moduleID: String, count: Int)
  /// Anything else that SQLite reports.
  case failed(operation: String, code: Int32, message: String)
  /// No thread for the store.
  case noThread(SystemError)
}

extension StoreError: CustomStringConvertible {
  /// One line: what, where, and the way out.
  public var description: String {
    switch self {
    case .untrusted(let error): "state is not used: \(error)"
    case .folderNotCreated(let path, let code):
      "cannot make the state folder \(path): \(SystemError.text(of: code)); make it yourself or name another with --state"
    case .unwritable(let path, let code):
      "cannot write \(path): \(SystemError.text(of: code)); give the supervisor's user the right or name another folder with --state"
    case .locked(let path, let processID):
      "another supervisor\(processID.map { " (process \($0))" } ?? "") uses the state in \(path); stop it or name another folder with --state"
    case .newerVersion(let path, let found, let supported):
      "\(path) was written by a newer Forsetti (state version \(found), this one knows \(supported)); upgrade or name another folder with --state"
    case .damaged(let path, let reason):
      "\(path) is damaged (\(reason)); put back a copy, or move it away to start anew"
    case .full(let path):
      "no room to write \(path); the state is as it was before; free some space and try again"
    case .busy(let path): "\(path) is in use by another process; try again when it has ended"
    case .userIDsExhausted(let moduleID, let count):
      "no user ID left for \(moduleID): all \(count) of the policy's range are given, and none is reused; widen the range"
    case .failed(let operation, let code, let message):
      "state: \(operation) failed: \(message) (SQLite \(code))"
    case .noThread(let error):
      "state: no thread for it: \(error); look at `ulimit -u` and the cgroup's pids.max"
    }
  }
}
