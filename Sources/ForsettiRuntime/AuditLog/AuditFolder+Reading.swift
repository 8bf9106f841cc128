import Glibc

// The log as it was at one moment, while others go on with it.
extension AuditFolder {
  /// One of its files, held open: what is appended later is not part of it, and a rotation takes nothing away.
  final class Part: Sendable {
    let path: String
    private let file: Descriptor
    private let size: Int

    fileprivate init(path: String, file: consuming Descriptor, size: Int) {
      self.path = path
      self.file = file
      self.size = size
    }

    /// What it held then.
    func bytes() throws(TrustedFileError) -> [UInt8] {
      guard size <= AuditFolder.readLimit else {
        throw TrustedFileError(path: path, fault: .tooLarge(limit: AuditFolder.readLimit))
      }
      var failure: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
        while filled < size {
          let count = pread(
            file.number, buffer.baseAddress?.advanced(by: filled), size - filled, off_t(filled))
          if count < 0, errno == EINTR { continue }
          if count < 0 { failure = errno }
          guard count > 0 else { return }
          filled += count
        }
      }
      guard failure == 0 else { throw TrustedFileError(path: path, fault: .unreadable(errno: failure)) }
      return bytes
    }
  }

  /// Bytes of a file at most that are read.
  private static let readLimit = 64 << 20

  /// All its files, oldest first. Whoever appends waits for no longer than it takes to open them: a half of what is being
  /// written, or a file that is being rotated, would look like somebody's doing.
  func parts(_ folder: borrowing TrustedFolder) throws(AuditError) -> [Part] {
    for _ in 0..<Self.tries {
      if let parts = try partsNow(folder) { return parts }
    }
    throw .failed(path: path, errno: EBUSY)
  }

  /// `nil` where a rotation came between.
  private func partsNow(_ folder: borrowing TrustedFolder) throws(AuditError) -> [Part]? {
    let current: Descriptor
    do throws(AuditError) { current = try open(folder, Self.current, O_RDONLY) } catch {
      guard error.isAbsence else { throw error }
      // Rotated away a moment ago, or nothing was ever written.
      return try rotatedParts(folder)
    }
    guard flock(current.number, LOCK_SH) == 0 else { throw failure }
    guard let size = try sizeIfCurrent(current, in: folder), let older = try rotatedParts(folder) else {
      return nil
    }
    flock(current.number, LOCK_UN)
    return older + [Part(path: folder.path(of: Self.current), file: current, size: size)]
  }

  private func rotatedParts(_ folder: borrowing TrustedFolder) throws(AuditError) -> [Part]? {
    var parts: [Part] = []
    for name in try rotated(folder) {
      let file: Descriptor
      do throws(AuditError) { file = try open(folder, name, O_RDONLY) } catch {
        if error.isAbsence { return nil }
        throw error
      }
      var status = stat()
      guard fstat(file.number, &status) == 0 else { throw failure }
      parts.append(Part(path: folder.path(of: name), file: file, size: Int(status.st_size)))
    }
    return parts
  }
}

extension AuditError {
  fileprivate var isAbsence: Bool {
    if case .failed(_, ENOENT) = self { true } else { false }
  }

  /// The same, said of what is only read.
  var whenRead: TrustedFileError {
    switch self {
    case .untrusted(let error): error
    case .failed(let path, let code): TrustedFileError(path: path, fault: .unreadable(errno: code))
    case .damaged(let path): TrustedFileError(path: path, fault: .unreadable(errno: EIO))
    }
  }
}
