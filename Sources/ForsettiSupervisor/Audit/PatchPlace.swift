import ForsettiCore

/// Under which name a patch names the file that it is for, and how it is applied.
struct PatchPlace: Equatable {
  /// The path in both headers of the patch.
  var name: String
  /// The command that takes the patch on its standard input.
  var command: String
}

extension PatchPlace {
  /// A relative path stays as it was given. patch(1) and `git apply` refuse an absolute one, and one that leads up: those
  /// are named from their own folder.
  init(of path: String) {
    let steps = path.split(separator: "/").filter { $0 != "." }
    if path.hasPrefix("/") || steps.contains("..") {
      name = String(steps.last ?? "")
      command = "patch -p0 -d \(WorkingFolder.parent(of: path).shellWord)"
    } else {
      name = steps.joined(separator: "/")
      command = "patch -p0"
    }
  }
}
