public import ForsettiCore
import Glibc

/// Crash reports in a folder of the state, one JSON file each, the newest ones of a bounded number and size. A file comes
/// and goes in one step, so that whoever reads beside a running supervisor sees whole reports. May block.
public struct CrashReportStore: Sendable {
  /// The folder's name in the state folder.
  public static let folderName = "crashes"

  /// How much is kept.
  public struct Limits: Sendable, Hashable {
    /// Reports.
    public var count: Int
    /// Bytes of all of them.
    public var bytes: Int

    /// Makes limits; the defaults keep 200 reports of 16 MiB in all.
    public init(count: Int = 200, bytes: Int = 16 << 20) {
      self.count = count
      self.bytes = bytes
    }
  }

  /// A report in the folder, or why its file is none.
  public struct Entry: Sendable {
    /// Its name.
    public var id: CrashReportID
    /// What it says.
    public var report: Result<CrashReport, CrashReportError>
  }

  /// The folder's path.
  public let path: String
  private let limits: Limits

  /// Reports below a state folder; nothing is made or read yet.
  public init(stateFolder: String, limits: Limits = Limits()) {
    path = stateFolder + "/" + Self.folderName
    self.limits = limits
  }

  // MARK: Writing

  /// Keeps a report, in place of one of the same ID, and drops the oldest ones beyond the limits.
  public func save(_ report: CrashReport) throws(CrashReportError) {
    do throws(StoreError) { try StateFolder.create(path) } catch { throw .state(error) }
    let folder = try opened()
    let name = Self.fileName(report.id)
    let draft = "." + name
    let bytes = JSONWriter.bytes(report.jsonValue)
    try write(bytes, to: draft, in: folder)
    guard renameat(folder.descriptor, draft, folder.descriptor, name) == 0 else {
      let code = errno
      unlinkat(folder.descriptor, draft, 0)
      throw .unwritable(path: folder.path(of: name), errno: code)
    }
    try rotate(in: folder, keeping: report.id)
  }

  private func write(
    _ bytes: [UInt8], to name: String, in folder: borrowing TrustedFolder
  ) throws(CrashReportError) {
    // A draft that a killed supervisor left is written over.
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let file = openat(folder.descriptor, name, flags, 0o600)
    guard file >= 0 else { throw .unwritable(path: folder.path(of: name), errno: errno) }
    defer { close(file) }
    var code = bytes.withUnsafeBytes { FileWriting.write($0, to: file) }
    // Without it a power cut could leave the name with nothing behind it.
    if code == 0, fsync(file) != 0 { code = errno }
    guard code == 0 else {
      unlinkat(folder.descriptor, name, 0)
      throw .unwritable(path: folder.path(of: name), errno: code)
    }
  }

  private func rotate(
    in folder: borrowing TrustedFolder, keeping newest: CrashReportID
  ) throws(CrashReportError) {
    var kept = 0
    var bytes = 0
    for entry in try names(in: folder) {
      var status = stat()
      guard fstatat(folder.descriptor, Self.fileName(entry), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        continue
      }
      kept += 1
      bytes += Int(status.st_size)
      if entry != newest, kept > limits.count || bytes > limits.bytes {
        unlinkat(folder.descriptor, Self.fileName(entry), 0)
      }
    }
  }

  // MARK: Reading

  /// IDs of the reports that are there, newest first.
  public func ids() throws(CrashReportError) -> [CrashReportID] {
    guard let folder = try openedIfThere() else { return [] }
    return try names(in: folder)
  }

  /// All reports, newest first; a file that is none is among them with its fault.
  public func all() throws(CrashReportError) -> [Entry] {
    try ids().map { id in
      Entry(id: id, report: Result { () throws(CrashReportError) in try read(id) })
    }
  }

  /// One report.
  public func read(_ id: CrashReportID) throws(CrashReportError) -> CrashReport {
    let name = Self.fileName(id)
    let bytes: [UInt8]
    guard let folder = try openedIfThere() else { throw .absent(id) }
    do throws(TrustedFileError) { bytes = try folder.read(name, limit: CrashReport.limits.bytes) } catch {
      throw error.fault == .absent ? .absent(id) : .untrusted(error)
    }
    do throws(JSONFault) { return try CrashReport(bytes) } catch {
      throw .damaged(path: folder.path(of: name), error)
    }
  }

  private static func fileName(_ id: CrashReportID) -> String { id.text + ".json" }

  private func names(in folder: borrowing TrustedFolder) throws(CrashReportError) -> [CrashReportID] {
    let entries: [FolderEntry]
    do throws(TrustedFileError) { entries = try folder.entries() } catch { throw .untrusted(error) }
    return entries.compactMap { entry in
      guard entry.kind == .file, let name = entry.name, name.hasSuffix(".json") else { return nil }
      return CrashReportID(String(name.dropLast(".json".utf8.count)))
    }.sorted(by: >)
  }

  private func openedIfThere() throws(CrashReportError) -> TrustedFolder? {
    do throws(CrashReportError) { return try opened() } catch {
      if case .untrusted(let cause) = error, cause.fault == .absent { return nil }
      throw error
    }
  }

  private func opened() throws(CrashReportError) -> TrustedFolder {
    do throws(TrustedFileError) { return try TrustedFolder(path) } catch { throw .untrusted(error) }
  }
}

/// Why a crash report can't be kept or read.
public enum CrashReportError: Error, Sendable, Hashable {
  /// The folder could not be made.
  case state(StoreError)
  /// The folder or a file in it could be changed by somebody else, or can't be read.
  case untrusted(TrustedFileError)
  /// A file could not be written.
  case unwritable(path: String, errno: Int32)
  /// There is no such report.
  case absent(CrashReportID)
  /// A file is no report that this version reads.
  case damaged(path: String, JSONFault)
}

extension CrashReportError: CustomStringConvertible {
  /// One line: what, where, and the way out.
  public var description: String {
    switch self {
    case .state(let error): error.description
    case .untrusted(let error): "crash reports are not used: \(error)"
    case .unwritable(let path, let code):
      "cannot write \(path): \(errnoText(code)); free some space, or give the supervisor's user the right"
    case .absent(let id):
      "there is no crash report \(id); `crashes list` names those that are kept, older ones were dropped"
    case .damaged(let path, let fault):
      "\(path) is no crash report: \(fault.pointer.isEmpty ? "" : "\(fault.pointer): ")\(fault.reason); remove it"
    }
  }
}
