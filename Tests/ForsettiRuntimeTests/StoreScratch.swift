import Foundation

/// A folder of a test's own, of mode 0700 and removed with the last reference.
final class Scratch: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/forsetti-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of an entry.
  func at(_ name: String) -> String { path + "/" + name }

  /// Writes a file, of mode 0600 unless told otherwise; returns its path.
  @discardableResult
  func write(_ name: String, _ text: String = "text", mode: mode_t = 0o600) throws -> String {
    try text.write(toFile: at(name), atomically: false, encoding: .utf8)
    chmod(at(name), mode)
    return at(name)
  }

  /// Makes a folder; returns its path.
  @discardableResult
  func folder(_ name: String, mode: mode_t = 0o700) -> String {
    mkdir(at(name), 0o700)
    chmod(at(name), mode)
    return at(name)
  }
}
