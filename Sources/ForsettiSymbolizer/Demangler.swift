import Glibc

/// The demangler of the Swift runtime that is linked in (SwiftShims, `_swift_backtrace_demangle`), which its own
/// backtraces go by: names of Swift in their short form, and of C++. NUL-terminated text of malloc(3), or nothing where
/// the name is neither. Without a buffer of ours it takes one of its own.
@_silgen_name("_swift_backtrace_demangle")
private func demangled(
  _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?
) -> UnsafeMutablePointer<CChar>?

/// Names of functions as people read them.
enum Demangler {
  /// The name in Swift or C++, where it is a mangled one; any other as it is.
  static func readable(_ name: String) -> String {
    guard let text = name.withCString({ demangled($0, name.utf8.count, nil, nil) }) else { return name }
    defer { free(text) }
    return String(cString: text)
  }
}
