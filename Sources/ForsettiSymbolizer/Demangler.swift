import Glibc

/// The demangler of the Swift runtime that is linked in (Demangling.h): NUL-terminated text of malloc(3), or nothing
/// where the name is no Swift one. Without a buffer of ours it takes one of its own.
@_silgen_name("swift_demangle")
private func demangled(
  _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// Names of functions as people read them.
enum Demangler {
  /// The name in Swift, where it is a mangled one; any other as it is.
  static func readable(_ name: String) -> String {
    guard let text = name.withCString({ demangled($0, name.utf8.count, nil, nil, 0) }) else { return name }
    defer { free(text) }
    return String(cString: text)
  }
}
