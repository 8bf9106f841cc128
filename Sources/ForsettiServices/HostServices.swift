import CLinux
import ForsettiBlocking
public import ForsettiCore
import Glibc

/// The host's adapters: for each service the function that makes one for a module.
public struct HostServices: Sendable {
  /// Text under keys, in SQLite.
  public let storage: @Sendable (ServiceCaller) -> any StorageService

  private let keyValues: KeyValueStore

  /// Opens databases and keys; what is not there is made.
  public static func open(
    _ configuration: HostServicesConfiguration
  ) async throws(HostServicesError) -> HostServices {
    let folder = configuration.servicesFolder
    try makeFolder(folder)
    let keyValues = try await opened(folder + "/storage.sqlite") { (path, executor) throws(DatabaseFault) in
      try await KeyValueStore.open(path, on: executor)
    }
    return HostServices(configuration, keyValues)
  }

  private init(_ configuration: HostServicesConfiguration, _ keyValues: KeyValueStore) {
    self.keyValues = keyValues
    let storageQuota = configuration.storageQuota
    storage = { HostStorageService(keyValues, for: $0, quota: storageQuota) }
  }

  /// Forgets what a module of one origin keeps in storage and secure storage.
  ///
  /// - Parameter origin: as `ModuleOrigin.text` says it.
  public func eraseData(moduleID: String, origin: String) async throws(ServiceError) {
    try await keyValues.erase(moduleID: moduleID, origin: origin)
  }

  /// Makes a folder of mode 0700, or checks the one that is there: its parent was checked with the state.
  static func makeFolder(_ path: String) throws(HostServicesError) {
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw .folder(path: path, errno: errno) }
    var status = stat()
    guard lstat(path, &status) == 0 else { throw .folder(path: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .folder(path: path, errno: ENOTDIR) }
    guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
      throw .folder(path: path, errno: EACCES)
    }
  }

  /// Opens something on a thread named after its file.
  private static func opened<Store>(
    _ path: String,
    _ open: (String, BlockingExecutor) async throws(DatabaseFault) -> Store
  ) async throws(HostServicesError) -> Store {
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) }
    let executor: BlockingExecutor
    do { executor = try BlockingExecutor(name: name ?? path) } catch { throw .noThread(error) }
    do { return try await open(path, executor) } catch {
      throw .database(path: path, message: error.message)
    }
  }
}
