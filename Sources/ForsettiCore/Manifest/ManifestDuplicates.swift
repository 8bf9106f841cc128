/// What can only be wrong between manifests.
public enum ManifestDuplicates {
  /// Module IDs that several files claim, compared without case, each with all its files; in the order in which
  /// the IDs first occur.
  public static func moduleIDs(
    in manifests: [(file: String, moduleID: String)]
  ) -> [ManifestLoaderError] {
    grouped(manifests.map { (key: $0.moduleID.lowercased(), name: $0.moduleID, member: $0.file) })
      .map { .duplicateModuleID(moduleID: $0.name, files: $0.members) }
  }

  /// Entry points that several modules name; in the order in which they first occur.
  public static func entryPoints(in manifests: [ModuleManifest]) -> [ModuleManagerError] {
    grouped(manifests.map { (key: $0.entryPoint, name: $0.entryPoint, member: $0.moduleID) })
      .map { .duplicateEntryPoint(entryPoint: $0.name, moduleIDs: $0.members) }
  }

  private static func grouped(
    _ entries: [(key: String, name: String, member: String)]
  ) -> [(name: String, members: [String])] {
    var groups: [(name: String, members: [String])] = []
    var places: [ScalarText: Int] = [:]
    for entry in entries {
      if let place = places[ScalarText(entry.key)] {
        groups[place].members.append(entry.member)
      } else {
        places[ScalarText(entry.key)] = groups.count
        groups.append((entry.name, [entry.member]))
      }
    }
    return groups.filter { $0.members.count > 1 }
  }
}
