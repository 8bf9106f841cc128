import ForsettiRuntime
import ForsettiCore
import Glibc

/// Values as a program gives them: one object of JSON with texts by the IDs of fields.
enum SecretInput {
  /// Bytes that are read at most: every byte of every value may be an escape of six.
  private static let limit = 6 * SecretLimits.totalBytes + 65_536

  /// Reads a descriptor to its end. What was read is overwritten; the texts made of it are gone when the program is.
  static func read(_ descriptor: Int32) throws(CommandFailure) -> [String: String] {
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    defer { wipe(&bytes) }
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("standard input: \(SystemError.text(of: errno))") }
      guard count > 0 else { break }
      filled += count
    }
    guard filled <= limit else { throw failure("standard input has more than \(limit) bytes") }
    return try values(in: Array(bytes[..<filled]))
  }

  /// The values of an object. What is wrong is told by its place, not by what stands there.
  static func values(in bytes: [UInt8]) throws(CommandFailure) -> [String: String] {
    let root: JSONValue
    do throws(JSONFault) { root = try JSONParser.parse(bytes).root } catch {
      throw failure("standard input is no JSON at line \(error.line), column \(error.column)")
    }
    guard let members = root.members else { throw failure("standard input is no object of JSON") }
    var values: [String: String] = [:]
    for member in members {
      guard let text = member.value.stringValue else {
        throw failure("the value of \(member.key.quoted()) is no text")
      }
      values[member.key] = text
    }
    return values
  }

  private static func failure(_ message: String) -> CommandFailure {
    CommandFailure(status: .usage, message: message)
  }
}

/// Overwrites bytes so that no copy of memory shows them; a plain assignment may be left out by the compiler.
func wipe(_ bytes: inout [UInt8]) {
  bytes.withUnsafeMutableBytes { buffer in
    guard let base = buffer.baseAddress else { return }
    explicit_bzero(base, buffer.count)
  }
}
