public import ForsettiCore
import Glibc

/// Crash reports in a folder of the state, one JSON file each (`ID.MODULE.json`), of a bounded number and size in all, of
/// which a module can only push out its own. A file comes and goes in one step, so that whoever reads beside a running
/// supervisor sees whole reports. One at a time writes. May block.
public struct CrashReportStore: Sendable {
  /// What is being written, until it is whole; whoever was killed meanwhile leaves one, which the next one writes over.
  private static let draft = ".draft"
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
  private let sizes = ReportSizes()

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
    let name = StoredReport(report).fileName
    let bytes = JSONWriter.bytes(report.jsonValue)
    try write(bytes, to: Self.draft, in: folder)
    let isNew = faccessat(folder.descriptor, name, F_OK, 0) != 0
    guard renameat(folder.descriptor, Self.draft, folder.descriptor, name) == 0 else {
      let code = errno
      unlinkat(folder.descriptor, Self.draft, 0)
      throw .unwritable(path: folder.path(of: name), errno: code)
    }
    sizes.note(name, bytes: bytes.count)
    // One that takes its own place again, with the names of its functions, makes the folder no fuller.
    if isNew { try rotate(in: folder, keeping: report.id) }
    // Without it a power cut could take the name, and with it a report that was told of.
    let code = folder.sync()
    guard code == 0 else { throw .unwritable(path: folder.path, errno: code) }
  }

  private func write(
    _ bytes: [UInt8], to name: String, in folder: borrowing TrustedFolder
  ) throws(CrashReportError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let file = openat(folder.descriptor, name, flags, 0o600)
    guard file >= 0 else { throw .unwritable(path: folder.path(of: name), errno: errno) }
    defer { close(file) }
    var code = bytes.withUnsafeBytes { FileWriting.write($0, to: file) }
    // Without it a power cut could leave the name with nothing behind it.
    if code == 0, fdatasync(file) != 0 { code = errno }
    guard code == 0 else {
      unlinkat(folder.descriptor, name, 0)
      throw .unwritable(path: folder.path(of: name), errno: code)
    }
  }

  private func rotate(
    in folder: borrowing TrustedFolder, keeping newest: CrashReportID
  ) throws(CrashReportError) {
    let reports = try stored(in: folder)
    let known = sizes.of(reports.map(\.fileName)) { name in
      var status = stat()
      return fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? Int(status.st_size) : nil
    }
    var files: [CrashReportID: StoredReport] = [:]
    let kept = reports.compactMap { report -> CrashReportRotation.Kept? in
      guard let bytes = known[report.fileName] else { return nil }
      files[report.id] = report
      return CrashReportRotation.Kept(id: report.id, owner: report.owner, bytes: bytes)
    }
    for id in CrashReportRotation.dropped(of: kept, limits: limits, keeping: newest) {
      if let file = files[id] { unlinkat(folder.descriptor, file.fileName, 0) }
    }
  }

  // MARK: Reading

  /// IDs of the reports that are there, newest first.
  public func ids() throws(CrashReportError) -> [CrashReportID] {
    guard let folder = try openedIfThere() else { return [] }
    return try stored(in: folder).map(\.id)
  }

  /// All reports, newest first; a file that is none is among them with its fault.
  public func all() throws(CrashReportError) -> [Entry] {
    try ids().map { id in
      Entry(id: id, report: Result { () throws(CrashReportError) in try read(id) })
    }
  }

  /// One report.
  public func read(_ id: CrashReportID) throws(CrashReportError) -> CrashReport {
    guard let folder = try openedIfThere(),
      let name = try stored(in: folder).first(where: { $0.id == id })?.fileName
    else { throw .absent(id) }
    let bytes: [UInt8]
    do throws(TrustedFileError) { bytes = try folder.read(name, limit: CrashReport.limits.bytes) } catch {
      throw error.fault == .absent ? .absent(id) : .untrusted(error)
    }
    do throws(JSONFault) { return try CrashReport(bytes) } catch {
      throw .damaged(path: folder.path(of: name), error)
    }
  }

  /// What is there, newest first.
  private func stored(in folder: borrowing TrustedFolder) throws(CrashReportError) -> [StoredReport] {
    let entries: [FolderEntry]
    do throws(TrustedFileError) { entries = try folder.entries() } catch { throw .untrusted(error) }
    return entries.compactMap { entry in
      guard entry.kind == .file, let name = entry.name else { return nil }
      return StoredReport(fileName: name)
    }.sorted { $0.id > $1.id }
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
