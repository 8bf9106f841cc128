import ForsettiBlocking
import ForsettiCore
import ForsettiHostileSet
import ForsettiRuntime
import Glibc

/// A folder of a crash test's own, below `TMPDIR`: the suite's manifests, and a state that is nobody else's.
struct CrashTestFolder {
  let path: String

  var state: String { path + "/state" }
  var manifests: String { path + "/manifests" }
  var bundles: String { path + "/bundles" }

  /// Makes it, readable to nobody else.
  init(environment: [String: String]) throws(CommandFailure) {
    let base = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var template = Array((base + "/forsetti-crash-test.XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw Self.failure("make a folder in \(base)", errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for folder in [state, manifests, bundles] where mkdir(folder, 0o700) != 0 {
      throw Self.failure("make \(folder)", errno)
    }
  }

  /// Writes a manifest, as a person would who installs the module.
  func write(_ manifest: ModuleManifest) throws(CommandFailure) {
    try Self.write(
      Array(JSONWriter.text(manifest.jsonValue).utf8), to: "\(manifests)/\(manifest.moduleID).json")
  }

  /// Writes a third party's bundle.
  func write(bundle manifest: ModuleManifest, executable: [UInt8]) throws(CommandFailure) {
    let folder = "\(bundles)/\(manifest.moduleID)"
    guard mkdir(folder, 0o700) == 0 else { throw Self.failure("make \(folder)", errno) }
    try Self.write(Array(JSONWriter.text(manifest.jsonValue).utf8), to: folder + "/manifest.json")
    try Self.write(executable, to: folder + "/module")
  }

  /// Appends to a bundle's executable; where that fails, the case that it is for does.
  func changeExecutable(of moduleID: String) {
    let file = open("\(bundles)/\(moduleID)/module", O_WRONLY | O_APPEND | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = Glibc.write(file, "!", 1)
    close(file)
  }

  private static func write(_ bytes: [UInt8], to file: String) throws(CommandFailure) {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("write \(file)", errno) }
    defer { close(descriptor) }
    try OutputStream(descriptor: descriptor, environment: [:]).write(bytes: bytes)
  }

  /// Takes it away with all that is in it.
  func remove() { Self.remove(path) }

  /// Links are removed, not followed.
  private static func remove(_ path: String) {
    guard unlink(path) != 0 else { return }
    for name in FolderNames.all(in: path) { remove(path + "/" + name) }
    rmdir(path)
  }

  private static func failure(_ what: String, _ code: Int32) -> CommandFailure {
    CommandFailure(
      status: .cannotCreate,
      message: "cannot \(what): \(SystemError.text(of: code)); name another folder with TMPDIR")
  }
}
