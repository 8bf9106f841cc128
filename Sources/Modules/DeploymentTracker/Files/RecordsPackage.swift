internal import ForsettiModuleKit

/// All that the demo holds, as files for whoever keeps records: what it has in lists as CSV, all of it as JSON, and a
/// manifest by which each file can be checked.
struct RecordsPackage: Sendable {
  /// A file of the package, under its own name in it.
  struct File: Sendable, Hashable {
    var path: String
    var bytes: [UInt8]

    /// The name without its ending, and the ending.
    var parts: (name: Substring, ending: Substring) {
      let dot = path.lastIndex(of: ".") ?? path.endIndex
      return (path[..<dot], path[dot...].dropFirst())
    }
  }

  /// Sorted by their names.
  let files: [File]
  private let deviceCount: Int

  /// The name of the manifest in the package.
  static let manifestPath = "manifest.json"

  init(_ state: DeploymentState) {
    deviceCount = state.devices.count
    let files =
      Self.csv("devices", Self.devices(state)) + Self.csv("projects", Self.projects(state))
      + Self.csv("exceptions", Self.exceptions(state)) + Self.csv("audit", Self.audit(state))
      + Self.csv("workflow", Self.workflow) + [
        Self.json("devices", state.sortedDevices.map(\.json)),
        Self.json("projects", state.projects.map(Self.project)),
        Self.json("exceptions", state.exceptions().map(\.json)),
        Self.json("layouts", state.layouts.map(\.json)), Self.json("fields", Self.fields),
        Self.json("exports", state.exports.map(\.json)),
        Self.json("business", state.history.business.map(\.json)),
        Self.json("preloads", state.history.preloads.map(\.json)),
        Self.json("submissions", state.history.submissions.map(\.json)),
        Self.json("service-desk", state.history.serviceDeskJobs.map(\.json)),
        Self.json("catalogue", state.history.catalogue.map(\.json)),
      ]
    self.files = files.sorted { $0.path < $1.path }
  }

  /// The manifest: what is in the package, and under which names it was written.
  /// - Parameters:
  ///   - digests: of this package.
  ///   - names: of the written files, by their names in the package.
  ///   - time: milliseconds since 1970.
  func manifest(_ digests: RecordsDigests, names: [String: String], version: Int, at time: Int64) -> File {
    let list = files.map { file in
      JSONValue.object([
        ("path", .string(file.path)), ("writtenAs", .string(names[file.path] ?? file.path)),
        ("bytes", .integer(file.bytes.count)),
        ("sha256", digests.files[file.path].map { .string($0) } ?? .null),
      ])
    }
    let manifest = JSONValue.object([
      ("package", .string("deployment-records")), ("version", .integer(version)),
      ("createdAt", .string(timestampText(time))), ("seed", .string(DeploymentSeed.version)),
      ("isDemo", .bool(true)), ("externalDataChanged", .bool(false)), ("devices", .integer(deviceCount)),
      ("sha256", .string(digests.whole)), ("files", .array(list)),
    ])
    return File(path: Self.manifestPath, bytes: JSONWriter.bytes(manifest, style: .pretty))
  }
}

// MARK: - What is in the files

extension RecordsPackage {
  private typealias Table = (columns: [String], rows: [[String]])

  /// A table as one file, or as several that are numbered.
  private static func csv(_ name: String, _ table: Table) -> [File] {
    var writer = CSVWriter(columns: table.columns)
    for row in table.rows { writer.add(row) }
    let documents = writer.documents
    return documents.enumerated().map { place, bytes in
      let part = documents.count > 1 ? "-part\(place + 1)of\(documents.count)" : ""
      return File(path: "\(name)\(part).csv", bytes: bytes)
    }
  }

  private static func json(_ name: String, _ elements: [JSONValue]) -> File {
    File(path: name + ".json", bytes: JSONWriter.bytes(.array(elements), style: .pretty))
  }

  private static func devices(_ state: DeploymentState) -> Table {
    let fields = DeploymentField.allCases
    return (fields.map(\.title), state.sortedDevices.map { device in fields.map { device.text($0) } })
  }

  private static func projects(_ state: DeploymentState) -> Table {
    let rules = DeploymentProject.Rule.allCases
    return (
      ["Project", "Name"] + rules.map(\.rawValue),
      state.projects.map { project in
        [project.id, project.name] + rules.map { project.rules.contains($0) ? "yes" : "no" }
      }
    )
  }

  private static func exceptions(_ state: DeploymentState) -> Table {
    (
      ["ID", "Serial Number", "Kind", "Severity", "State", "What", "Note"],
      state.exceptions().map {
        [$0.id, $0.serial, $0.code, $0.severity.rawValue, $0.state.rawValue, $0.summary, $0.note]
      }
    )
  }

  private static func audit(_ state: DeploymentState) -> Table {
    (
      ["Time", "Action", "Subject", "Detail"],
      state.audit.map { [timestampText($0.time), $0.action.rawValue, $0.subject, $0.detail] }
    )
  }

  private static var workflow: Table {
    (
      ["From", "To", "Gate"],
      DeploymentWorkflow.fixed.map { [$0.from.rawValue, $0.to.rawValue, $0.gate.rawValue] }
    )
  }

  private static var fields: [JSONValue] {
    DeploymentField.allCases.map {
      .object([
        ("field", .string($0.rawValue)), ("title", .string($0.title)), ("isEditable", .bool($0.isEditable)),
      ])
    }
  }

  private static func project(_ project: DeploymentProject) -> JSONValue {
    .object([
      ("id", .string(project.id)), ("name", .string(project.name)),
      ("rules", .strings(DeploymentProject.Rule.allCases.filter(project.rules.contains).map(\.rawValue))),
    ])
  }
}
