import Foundation

/// The targets of Package.swift that have a folder under Sources, with their dependencies.
enum PackageTargets {
  /// Reads the package's own manifest: folder under Sources to names of dependencies.
  static func read() throws -> [String: Set<String>] {
    parse(try String(contentsOf: SourceTree.root.appending(path: "Package.swift"), encoding: .utf8))
  }

  /// Parses a manifest's text.
  static func parse(_ text: String) -> [String: Set<String>] {
    var targets: [String: Set<String>] = [:]
    let starts = text.matches(
      of: #/\.(?:target|executableTarget|testTarget|systemLibrary)\(\s*name: "([\w-]+)"/#)
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1].range.lowerBound : text.endIndex
      let body = text[start.range.upperBound..<end]
      let folder = body.firstMatch(of: #/path: "Sources/([\w-]+)"/#).map { String($0.1) } ?? String(start.1)
      let list = body.firstMatch(of: #/dependencies: \[([^\]]*)\]/#).map { $0.1 } ?? ""
      targets[folder] = Set(list.matches(of: #/"([\w-]+)"/#).map { String($0.1) })
    }
    return targets
  }
}
