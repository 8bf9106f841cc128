import CLinux
import ForsettiCore
import Glibc

/// Why the audit log could not be written.
public enum AuditError: Error, Sendable, Hashable {
  /// The folder, or a file in it, could be changed by somebody else, or is something else.
  case untrusted(TrustedFileError)
  /// A system call failed: ENOSPC where the disk is full.
  case failed(path: String, errno: Int32)
  /// The last line is not what this program writes; nothing is put behind it.
  case damaged(path: String)
}

extension AuditError: CustomStringConvertible {
  /// One line: what, where, and the way out.
  public var description: String {
    switch self {
    case .untrusted(let error): "the audit log is not used: \(error)"
    case .failed(let path, let code): "cannot write \(path): \(SystemError.text(of: code))"
    case .damaged(let path):
      "the end of \(path) was changed by somebody; look at it with audit verify, and move it away to go on"
    }
  }
}

/// The files of an audit log, in a folder of their own below the state: `audit.jsonl`, and older ones by the number of their
/// first line. Each append opens, locks, looks where the chain stands, writes, syncs and lets go: a command beside a running
/// supervisor goes on with the same chain. May block.
struct AuditFolder: Sendable {
  /// Its name below the state folder.
  static let name = "audit-log"
  static let current = "audit.jsonl"
  /// Tries for a file that is rotated away under our hands.
  static let tries = 8

  /// Its path.
  let path: String
  /// Bytes of a file before it is rotated, and rotated files that are kept.
  var fileLimit = 8 << 20
  var keptFiles = 16

  init(state: String) { path = state + "/" + Self.name }

  /// Appends an event with its time.
  func append(_ event: AuditEvent, time: Int64) throws(AuditError) {
    // One has room in whatever file is open.
    _ = try append([(event, time)])
  }

  /// Appends events with their times until the file is full, at least the first of them. A file so stays within the
  /// bound that readers have, however many events waited.
  /// - Returns: how many were appended; where it fails, none was.
  func append(_ events: [(event: AuditEvent, time: Int64)]) throws(AuditError) -> Int {
    do throws(StoreError) { try StateFolder.create(path) } catch {
      guard case .folderNotCreated(let place, let code) = error else {
        throw .failed(path: path, errno: EIO)
      }
      throw .failed(path: place, errno: code)
    }
    let folder: TrustedFolder
    do { folder = try TrustedFolder(path) } catch { throw .untrusted(error) }
    for _ in 0..<Self.tries {
      let file = try open(folder)
      guard flock(file.number, LOCK_EX) == 0 else { throw failure }
      guard let size = try sizeIfCurrent(file, in: folder) else { continue }
      if size >= fileLimit {
        try rotate(folder, file)
        continue
      }
      return try append(events, to: file, size: size, in: folder)
    }
    throw .failed(path: path, errno: EBUSY)
  }

  /// The size of a locked file; `nil` where whoever held the lock before us has rotated it away.
  func sizeIfCurrent(
    _ file: borrowing Descriptor, in folder: borrowing TrustedFolder
  ) throws(AuditError) -> Int? {
    var status = stat()
    var named = stat()
    guard fstat(file.number, &status) == 0 else { throw failure }
    guard fstatat(folder.descriptor, Self.current, &named, AT_SYMLINK_NOFOLLOW) == 0,
      named.st_ino == status.st_ino
    else { return nil }
    return Int(status.st_size)
  }

  private func append(
    _ events: [(event: AuditEvent, time: Int64)], to file: borrowing Descriptor, size: Int,
    in folder: borrowing TrustedFolder
  ) throws(AuditError) -> Int {
    var (chain, end) = try standing(of: file, size: size, in: folder)
    var bytes: [UInt8] = []
    if end < size {
      guard ftruncate(file.number, off_t(end)) == 0 else { throw failure }
      let cut = AuditEvent(.repaired, details: ["bytes": "\(size - end)"])
      bytes += chain.append(cut, time: events.first?.time ?? 0)
    }
    var count = 0
    for (event, time) in events where count == 0 || end + bytes.count < fileLimit {
      bytes += chain.append(event, time: time)
      count += 1
    }
    let code = bytes.withUnsafeBytes { FileWriting.write($0, to: file.number) }
    // What a full disk took half of is taken back: the next line must follow a whole one.
    guard code == 0, fdatasync(file.number) == 0 else {
      let code = code == 0 ? errno : code
      ftruncate(file.number, off_t(end))
      throw .failed(path: path + "/" + Self.current, errno: code)
    }
    // A file's first lines are on the disk when its name is.
    let unsynced = size == 0 ? folder.sync() : 0
    guard unsynced == 0 else {
      ftruncate(file.number, off_t(end))
      throw .failed(path: path, errno: unsynced)
    }
    return count
  }

  /// Where the chain stands, and where its last whole line ends.
  private func standing(
    of file: borrowing Descriptor, size: Int, in folder: borrowing TrustedFolder
  ) throws(AuditError) -> (AuditChain, end: Int) {
    if let (line, end) = try lastLine(of: file, size: size) {
      return (try chain(at: line, of: Self.current), end)
    }
    // A new file goes on with the last one.
    guard let last = try rotated(folder).last else { return (AuditChain(), 0) }
    let older = try open(folder, last, O_RDONLY)
    var status = stat()
    guard fstat(older.number, &status) == 0 else { throw failure }
    guard let (line, _) = try lastLine(of: older, size: Int(status.st_size)) else {
      throw .damaged(path: path + "/" + last)
    }
    return (try chain(at: line, of: last), 0)
  }

  private func chain(at line: ArraySlice<UInt8>, of name: String) throws(AuditError) -> AuditChain {
    do { return try AuditChain(at: line) } catch { throw .damaged(path: path + "/" + name) }
  }

  /// The last whole line, and the offset behind its end; `nil` where there is none.
  private func lastLine(
    of file: borrowing Descriptor, size: Int
  ) throws(AuditError) -> (ArraySlice<UInt8>, end: Int)? {
    let start = max(0, size - 2 * AuditChain.lineLimit)
    var bytes = [UInt8](repeating: 0, count: size - start)
    let count = pread(file.number, &bytes, bytes.count, off_t(start))
    guard count == bytes.count else { throw failure }
    guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
      if size > AuditChain.lineLimit { throw .damaged(path: path + "/" + Self.current) }
      return nil
    }
    let begin = bytes[..<last].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return (bytes[begin..<last], start + last + 1)
  }

  // MARK: Files

  /// Names of rotated files, oldest first.
  func rotated(_ folder: borrowing TrustedFolder) throws(AuditError) -> [String] {
    do {
      return try folder.entries().compactMap(\.name)
        .filter { $0.hasPrefix("audit-") && $0.hasSuffix(".jsonl") }.sorted()
    } catch { throw .untrusted(error) }
  }

  private func rotate(_ folder: borrowing TrustedFolder, _ file: borrowing Descriptor) throws(AuditError) {
    var head = [UInt8](repeating: 0, count: AuditChain.lineLimit)
    let count = max(0, pread(file.number, &head, head.count, 0))
    let line = head[..<count].prefix { $0 != UInt8(ascii: "\n") }
    let digits = String(try chain(at: line, of: Self.current).sequence)
    let name = "audit-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits + ".jsonl"
    let result = cl_rename_new(folder.descriptor, Self.current, folder.descriptor, name)
    // No line of ours has that number: what is there stays what it is.
    guard result != -EEXIST else { throw .damaged(path: path + "/" + name) }
    guard result == 0 else { throw .failed(path: path + "/" + name, errno: -result) }
    for old in try rotated(folder).dropLast(keptFiles) { unlinkat(folder.descriptor, old, 0) }
  }

  private func open(_ folder: borrowing TrustedFolder) throws(AuditError) -> Descriptor {
    try open(folder, Self.current, O_RDWR | O_APPEND | O_CREAT)
  }

  func open(
    _ folder: borrowing TrustedFolder, _ name: String, _ flags: Int32
  ) throws(AuditError) -> Descriptor {
    let number = openat(
      folder.descriptor, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .failed(path: path + "/" + name, errno: errno) }
    let file = Descriptor(owning: number)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw failure }
    let kind = FileKind(mode: status.st_mode)
    let fault =
      kind == .file ? Trust.fault(of: status) : .wrongKind(kind, expected: .file)
    if let fault { throw .untrusted(TrustedFileError(path: path + "/" + name, fault: fault)) }
    return file
  }

  var failure: AuditError { .failed(path: path, errno: errno) }
}
