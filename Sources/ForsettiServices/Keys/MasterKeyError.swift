import ForsettiBlocking
import ForsettiCore
import Glibc

/// Why there is no master key, and so neither secure storage, nor keys of modules, nor tokens.
public enum MasterKeyError: Error, Sendable, Hashable {
  /// There is none, but values that were sealed with one; a new one would lose them.
  case missing(expected: String)
  /// It is not the one that the values were sealed with.
  case wrong(source: String)
  /// Its file can't be read.
  case unreadable(path: String, errno: Int32)
  /// Its file belongs to somebody else, or others may read or change it.
  case untrusted(path: String, reason: String)
  /// Its file holds neither 32 bytes nor 64 digits of hex.
  case malformed(path: String)
  /// It could not be made.
  case notMade(path: String, errno: Int32)
  /// The database that knows it can't be read.
  case unchecked(reason: String)
  /// No memory for it.
  case noMemory
}

extension MasterKeyError: CustomStringConvertible {
  /// One line: what, where, and the way out.
  public var description: String {
    switch self {
    case .missing(let path):
      "the master key is gone (\(path)), and sealed values are there; put it back, or erase services/storage.sqlite to begin anew without them"
    case .wrong(let source):
      "the master key of \(source) is not the one that the sealed values were made with; put the right one back"
    case .unreadable(let path, let code): "cannot read the master key \(path): \(SystemError.text(of: code))"
    case .untrusted(let path, let reason): "the master key \(path) is not used: \(reason)"
    case .malformed(let path): "the master key \(path) is neither 32 bytes nor 64 digits of hex"
    case .notMade(let path, let code): "cannot make the master key \(path): \(SystemError.text(of: code))"
    case .unchecked(let reason): "the master key can't be checked: \(reason)"
    case .noMemory: "no memory to keep the master key in"
    }
  }

  /// As a module is told: nothing of paths.
  var serviceError: ServiceError {
    .failed(code: "no_key", message: "the supervisor has no master key; its start report says why")
  }
}
