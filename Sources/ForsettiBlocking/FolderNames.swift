import Glibc

/// The names in a folder that is our own or the kernel's.
public enum FolderNames {
  /// All of them but `.` and `..`, in no order; none where it can't be read.
  public static func all(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    return names(in: stream)
  }

  /// The same of a folder by its descriptor, for which O_PATH will do.
  public static func all(in folder: Int32) -> [String] {
    let listing = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard listing >= 0 else { return [] }
    guard let stream = fdopendir(listing) else {
      close(listing)
      return []
    }
    return names(in: stream)
  }

  private static func names(in stream: OpaquePointer) -> [String] {
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
