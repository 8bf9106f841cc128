/// The last message of the Swift runtime or the C library in what a module wrote to stderr. The lines are the module's own
/// word: what it gains by a lie is a wrong line in its own report.
public enum RuntimeMessage {
  // Swift 6.3: "Module/File.swift:3: Fatal error: why" and "Fatal error: why" of the standard library,
  // swift_dynamicCastFailure, swift_abortRetainUnowned, exclusivity (SwiftTLSContext). glibc 2.36: malloc_printerr,
  // __fortify_fail, assert(3).
  private static let marks = [
    "Fatal error: ", "Could not cast value of type ", "Attempted to read an unowned reference",
    "Simultaneous accesses to ", "double free or corruption", "free(): ", "malloc(): ", "realloc(): ",
    "munmap_chunk(): ", "corrupted size vs. prev_size", "*** stack smashing detected ***",
    "*** buffer overflow detected ***", "Assertion `",
  ]

  /// The newest line that is one; `nil` where none is.
  public static func last(in lines: some BidirectionalCollection<String>) -> String? {
    lines.last { line in marks.contains { line.contains($0) } }
  }
}
