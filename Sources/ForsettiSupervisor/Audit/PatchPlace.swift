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
      command = "patch -p0 -d \(Self.quoted(WorkingFolder.parent(of: path)))"
    } else {
      name = steps.joined(separator: "/")
      command = "patch -p0"
    }
  }

  /// As a shell reads one word.
  private static func quoted(_ folder: String) -> String {
    let isPlain = folder.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || "/._-".utf8.contains($0)
    }
    return isPlain
      ? folder
      : "'" + folder.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
