public import ForsettiCore

/// Fallback discovery: manifests anywhere below a folder, among whatever else is there (`--discover`).
extension ManifestLoader {
  /// Folders deeper than this below the one asked for are not looked into.
  static let depthLimit = 32

  /// The keys by which a JSON object is taken for a manifest.
  static let shapeKeys = [
    "schemaVersion", "moduleID", "displayName", "moduleVersion", "moduleType", "supportedPlatforms",
    "minForsettiVersion", "capabilitiesRequested", "entryPoint",
  ]

  /// Loads every manifest below a folder.
  ///
  /// What is not shaped like one is passed over, broken JSON and what others could change with a warning. A file
  /// shaped like a manifest must be valid, as in a strict load. Links are not followed, dot-folders not entered.
  public func discover(folder path: String) throws(ManifestLoaderError) -> ForsettiModuleCatalog {
    var findings = Findings()
    let root = try Self.opened(path)
    do { try search(root, shownAs: "", depth: 0, &findings) } catch {
      throw Self.folderFault(error, asked: path)
    }
    guard findings.manifests.count <= manifestLimit else {
      throw .tooManyManifests(path: root.path, limit: manifestLimit)
    }
    return try findings.catalog(of: path)
  }

  /// Files first, then folders, each sorted by name.
  private func search(
    _ folder: borrowing TrustedFolder, shownAs prefix: String, depth: Int, _ findings: inout Findings
  ) throws(TrustedFileError) {
    for entry in try candidates(in: folder, &findings) {
      guard let name = entry.name else {
        findings.warn(folder.path(of: entry.shownName), "passed over: its name is not valid UTF-8")
        continue
      }
      consider(name, in: folder, shownAs: prefix + name, &findings)
      // Enough to know that there are too many.
      guard findings.manifests.count <= manifestLimit else { return }
    }
    let folders = try folder.entries().filter { $0.kind == .folder && !$0.shownName.hasPrefix(".") }
    for entry in folders.sorted(by: { $0.shownName.utf8.lexicographicallyPrecedes($1.shownName.utf8) }) {
      let path = folder.path(of: entry.shownName)
      guard let name = entry.name, depth < Self.depthLimit else {
        findings.warn(
          path, "passed over: \(entry.name == nil ? "its name is not valid UTF-8" : "it is too deep")")
        continue
      }
      do {
        try search(folder.folder(name), shownAs: prefix + name + "/", depth: depth + 1, &findings)
      } catch { findings.warn(error.path, "passed over: \(error.reason)") }
      guard findings.manifests.count <= manifestLimit else { return }
    }
  }

  private func consider(
    _ name: String, in folder: borrowing TrustedFolder, shownAs shown: String, _ findings: inout Findings
  ) {
    let path = folder.path(of: name)
    let bytes: [UInt8]
    do { bytes = try folder.read(name, limit: Self.sizeLimit) } catch {
      return findings.warn(path, "passed over: \(error.reason)")
    }
    do {
      let members = try JSONParser.parse(bytes, limits: .manifest).root.members ?? []
      let keys = Set(members.map { ScalarText($0.key) })
      guard Self.shapeKeys.allSatisfy({ keys.contains(ScalarText($0)) }) else { return }
    } catch {
      return findings.warn(path, "passed over: no valid JSON: \(error.reason) (line \(error.line))")
    }
    findings.add { () throws(ManifestLoaderError) in try Self.decode(bytes, path: path, shownAs: shown) }
  }
}
