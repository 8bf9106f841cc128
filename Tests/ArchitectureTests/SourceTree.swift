import Foundation

/// The package as it lies on disk, found from this file.
enum SourceTree {
  /// The package's root folder.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// One file of source.
  struct File: Sendable {
    var path: String
    var text: String
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
  }

  /// All files with one of the endings below a folder of the package.
  static func files(below folder: String, endings: Set<String>) throws -> [File] {
    let base = root.appending(path: folder)
    guard let walk = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil) else {
      return []
    }
    var files: [File] = []
    for case let url as URL in walk where endings.contains(url.pathExtension) {
      let path = String(url.path.dropFirst(root.path.count + 1))
      files.append(File(path: path, text: try String(contentsOf: url, encoding: .utf8)))
    }
    return files.sorted { $0.path < $1.path }
  }
}
