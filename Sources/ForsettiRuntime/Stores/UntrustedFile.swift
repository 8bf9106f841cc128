import Glibc

/// Reading one file of anybody's, of which nothing is believed.
public enum UntrustedFile {
  /// Reads a regular file whole; links are followed. Never waits for what is no file.
  /// - Parameter limit: the largest size accepted, in bytes, even of a file that grows.
  public static func read(_ path: String, limit: Int) throws(TrustedFileError) -> [UInt8] {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else {
      throw TrustedFileError(path: path, fault: errno == ENOENT ? .absent : .unreadable(errno: errno))
    }
    let file = Descriptor(owning: number)
    var status = stat()
    guard fstat(file.number, &status) == 0 else {
      throw TrustedFileError(path: path, fault: .unreadable(errno: errno))
    }
    let kind = FileKind(mode: status.st_mode)
    guard kind == .file else {
      throw TrustedFileError(path: path, fault: .wrongKind(kind, expected: .file))
    }
    guard status.st_size <= limit else { throw TrustedFileError(path: path, fault: .tooLarge(limit: limit)) }
    return try content(of: file, path: path, limit: limit)
  }

  private static func content(
    of file: borrowing Descriptor, path: String, limit: Int
  ) throws(TrustedFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(file.number, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw TrustedFileError(path: path, fault: .unreadable(errno: errno)) }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else {
        throw TrustedFileError(path: path, fault: .tooLarge(limit: limit))
      }
      bytes += piece[..<count]
    }
  }
}
