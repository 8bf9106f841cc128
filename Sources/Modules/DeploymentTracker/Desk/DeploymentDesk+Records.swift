internal import ForsettiModuleKit

// The records of the demo, for whoever keeps them.
extension DeploymentDesk {
  /// What the files' names begin with.
  private static let recordsPrefix = "DeploymentRecords"

  /// Writes the files of the records package, and its manifest last: files without one are no package. They are hashed
  /// before any is written, so that a package that can't be checked leaves nothing behind.
  func exportRecords() async throws(DeploymentRefusal) {
    let package = RecordsPackage(store.state)
    let count = store.state.devices.count
    let scope = ServiceDeskFile.allProjects
    let version = store.state.nextVersion(of: .records, scope: scope)
    guard let digests = try await digests(of: package) else { return }
    var names: [String: String] = [:]
    for file in package.files {
      guard let name = try await write(file, version) else { return }
      names[file.path] = name
    }
    let manifest = package.manifest(digests, names: names, version: version, at: WallClock.now())
    guard let name = try await write(manifest, version) else { return }
    // What was written is told of, whatever has changed since.
    try await change { _ in
      let export = DeploymentExport(
        kind: .records, scope: scope, version: version, deviceCount: count, fileName: name)
      return DeploymentChange(
        time: WallClock.now(), action: .exported, subject: name,
        detail: "\(package.files.count) files of records, version \(version); they were sent nowhere",
        edits: [.export(export)])
    }
  }

  /// Nothing, and a notice, where the host could not tell them.
  private func digests(of package: RecordsPackage) async throws(DeploymentRefusal) -> RecordsDigests? {
    guard context.grantedCapabilities.contains(.cryptoUtilities),
      let crypto = context.services.cryptoUtilities
    else { throw .noDigests }
    do throws(ServiceError) { return try await RecordsDigests(of: package, by: crypto.sha256) } catch {
      try say(.storage(error))
      return nil
    }
  }

  /// The name in the export folder; nothing, and a notice, where the file was not written.
  private func write(_ file: RecordsPackage.File, _ version: Int) async throws(DeploymentRefusal) -> String? {
    let (name, ending) = file.parts
    let path = try await write(
      file.bytes, "\(Self.recordsPrefix)-v\(version)-\(name)", fileExtension: String(ending))
    return path.map { path in path.split(separator: "/").last.map { String($0) } ?? path }
  }
}
