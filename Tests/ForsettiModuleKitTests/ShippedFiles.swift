import Glibc

/// Files of the checkout, found from this one.
enum ShippedFiles {
  struct Unreadable: Error {
    var path: String
    var errno: Int32
  }

  private static let resources =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    + "/Resources"

  /// The bytes of a manifest.
  static func manifest(_ name: String, in folder: String = "ForsettiManifests") throws -> [UInt8] {
    let folder = "\(resources)/\(folder)"
    guard let file = fopen("\(folder)/\(name)", "re") else {
      throw Unreadable(path: "\(folder)/\(name)", errno: errno)
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256 << 10)
    return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
  }

  /// The names of all manifests, sorted.
  static func manifestNames(in folder: String = "ForsettiManifests") throws -> [String] {
    let folder = "\(resources)/\(folder)"
    guard let directory = opendir(folder) else { throw Unreadable(path: folder, errno: errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
