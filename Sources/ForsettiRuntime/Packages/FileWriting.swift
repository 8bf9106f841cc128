import Glibc

/// Writing whole pieces to a descriptor.
enum FileWriting {
  /// Writes all of a piece; the errno of the write that failed, or 0.
  static func write(_ piece: UnsafeRawBufferPointer, to file: Int32) -> Int32 {
    var rest = piece[...]
    while !rest.isEmpty {
      let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : ENOSPC }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}
