import CBench
import ForsettiBenchSet
import Glibc

/// A folder of our own that goes when the value does.
final class ScratchFolder: Sendable {
  let path: String

  init() throws(BenchFailure) {
    let parent = getenv("PEERS_TMP").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/forsetti-bench.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchFailure("mkdtemp: errno \(errno)") }
    path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  deinit { remove() }

  /// Removes it now.
  func remove() {
    if !path.isEmpty { cbench_remove_tree(path) }
  }

  /// Writes a file that its owner alone may change.
  func write(_ bytes: [UInt8], to name: String) throws(BenchFailure) {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw BenchFailure("\(path)/\(name): errno \(errno)") }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw BenchFailure("\(path)/\(name): errno \(errno)")
    }
  }

  /// Makes a folder in it.
  func makeFolder(_ name: String) throws(BenchFailure) -> String {
    guard mkdir("\(path)/\(name)", 0o700) == 0 else { throw BenchFailure("\(path)/\(name): errno \(errno)") }
    return "\(path)/\(name)"
  }
}
