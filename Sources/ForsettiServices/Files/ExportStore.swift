import CLinux
import CSodium
import ForsettiBlocking
import ForsettiCore
import Glibc

/// How much a module may export.
public struct ExportQuota: Sendable, Hashable {
  /// All its files together, in bytes.
  public var bytes: Int64
  /// How many files.
  public var files: Int

  /// Makes a quota.
  public init(bytes: Int64, files: Int) {
    self.bytes = bytes
    self.files = files
  }
}

/// The exports of all modules, below one folder, on a thread of its own.
///
/// A file is written as a draft beside the modules' folders, synced, and then given its name: nobody ever sees
/// half a file, and an acknowledged one survives a power cut.
actor ExportStore {
  /// No module's folder begins with a dot.
  private static let draftsName = ".drafts"
  /// The part of a module ID in its folder's name, in bytes.
  private static let longestID = 160

  private let executor: BlockingExecutor
  private let path: String
  private let root: Int32
  private let drafts: Int32
  private var folders: [DataOwner: ExportFolder] = [:]
  private var draftNumber = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  nonisolated var thread: BlockingExecutor { executor }

  /// Opens the folder, and clears it of drafts that a crash left behind.
  init(path: String, on executor: BlockingExecutor) async throws(HostServicesError) {
    self.executor = executor
    self.path = path
    try HostServices.makeFolder(path + "/" + Self.draftsName)
    let root = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard root >= 0 else { throw .folder(path: path, errno: errno) }
    self.root = root
    drafts = openat(root, Self.draftsName, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard drafts >= 0 else {
      let code = errno
      close(root)
      throw .folder(path: path + "/" + Self.draftsName, errno: code)
    }
    for draft in FolderNames.all(in: drafts) { unlinkat(drafts, draft, 0) }
  }

  deinit {
    close(drafts)
    close(root)
  }

  /// Writes a file of a module; its path.
  func export(
    _ data: [UInt8], name: String, of owner: DataOwner, quota: ExportQuota
  ) throws(ServiceError) -> String {
    let folder = try folder(of: owner)
    let fits = { folder.files < quota.files && folder.bytes + Int64(data.count) <= quota.bytes }
    if !fits() { folder.count() }
    guard fits() else {
      throw .quotaExceeded("\(quota.files) files and \(quota.bytes) bytes of exports for \(owner.moduleID)")
    }
    let draft = try writeDraft(data)
    do { return try folder.adopt(draft, from: drafts, as: name, size: data.count) } catch {
      unlinkat(drafts, draft, 0)
      throw error
    }
  }

  private func writeDraft(_ data: [UInt8]) throws(ServiceError) -> String {
    draftNumber += 1
    let draft = "\(draftNumber)"
    let flags = UInt64(O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
    let file = cl_open_beneath(drafts, draft, flags, 0o600)
    guard file >= 0 else { throw FileFault.error("open", -file) }
    defer { close(file) }
    do {
      try Self.write(data, to: file)
      return draft
    } catch {
      unlinkat(drafts, draft, 0)
      throw error
    }
  }

  private static func write(_ data: [UInt8], to file: Int32) throws(ServiceError) {
    let code = data.withUnsafeBytes { bytes -> Int32 in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno != EINTR { return errno }
        rest = rest.dropFirst(max(count, 0))
      }
      return fsync(file) == 0 ? 0 : errno
    }
    guard code == 0 else { throw FileFault.error("write", code) }
  }

  private func folder(of owner: DataOwner) throws(ServiceError) -> ExportFolder {
    if let folder = folders[owner] { return folder }
    let name = Self.folderName(of: owner)
    let folder = try ExportFolder(name, in: root, path: path + "/" + name)
    folders[owner] = folder
    return folder
  }

  /// The module's ID; for a bundle, or an ID too long for a name, with a hash that tells it from all others.
  static func folderName(of owner: DataOwner) -> String {
    let isPlain = owner.origin == ModuleOrigin.builtIn.text && owner.moduleID.utf8.count <= longestID
    if isPlain { return owner.moduleID }
    let whole = Joined.bytes([owner.moduleID, owner.origin])
    var hash = [UInt8](repeating: 0, count: 16)
    crypto_generichash(&hash, hash.count, whole, UInt64(whole.count), nil, 0)
    return owner.moduleID.prefix(longestID) + "@" + Base64URL.encode(hash)
  }
}
