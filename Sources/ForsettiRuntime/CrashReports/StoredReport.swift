import ForsettiCore

/// A file of the folder of crash reports, by its name: whose report it is can be told without reading it.
struct StoredReport: Sendable, Hashable {
  private static let suffix = ".json"
  /// A file's name has 255 bytes; an ID may have more.
  private static let ownerBytes = 200

  let id: CrashReportID
  /// The module's ID, or as much of its start as a file's name holds.
  let owner: String
  var fileName: String { "\(id).\(owner)\(Self.suffix)" }

  init(_ report: CrashReport) {
    id = report.id
    owner = String(report.module.moduleID.prefix(Self.ownerBytes))
  }

  /// `nil` for the name of any other file.
  init?(fileName: String) {
    guard fileName.hasSuffix(Self.suffix), let dot = fileName.firstIndex(of: "."),
      let id = CrashReportID(String(fileName[..<dot]))
    else { return nil }
    let owner = fileName[fileName.index(after: dot)...].dropLast(Self.suffix.utf8.count)
    guard !owner.isEmpty, owner.utf8.count <= Self.ownerBytes else { return nil }
    self.id = id
    self.owner = String(owner)
  }
}
