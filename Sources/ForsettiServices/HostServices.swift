import CLinux
import ForsettiBlocking
public import ForsettiCore
import Glibc

/// The host's adapters: for each service the function that makes one for a module.
public struct HostServices: Sendable {
  /// Text under keys, in SQLite.
  public let storage: @Sendable (ServiceCaller) -> any StorageService

  /// Secrets under keys, sealed.
  public let secureStorage: @Sendable (ServiceCaller) -> any SecureStorageService
  /// Cryptography with keys of the module's own.
  public let cryptoUtilities: @Sendable (ServiceCaller) -> any CryptoUtilitiesService
  /// Identity and tokens.
  public let authentication: @Sendable (ServiceCaller) -> any AuthenticationService
  /// SQL on the database that modules share.
  public let sharedDatabase: @Sendable (ServiceCaller) -> any SharedDatabaseService
  /// Why secure storage, cryptography and authentication answer `failed("no_key", …)`; `nil` where the master key is there.
  public let masterKeyFault: MasterKeyError?

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
    let shared = try await opened(folder + "/shared.sqlite") { (path, executor) throws(DatabaseFault) in
      try await SharedDatabaseWorker(path: path, limits: configuration.sharedDatabase, on: executor)
    }
    let keyring: Result<Keyring, MasterKeyError>
    let source = MasterKeySource(credentialsFolder: configuration.credentialsFolder, folder: folder)
    do { keyring = .success(try await Keyring.open(source, knownBy: keyValues)) } catch {
      keyring = .failure(error)
    }
    return HostServices(configuration, keyValues, shared, keyring, crypto: try thread("crypto"))
  }

  private init(
    _ configuration: HostServicesConfiguration, _ keyValues: KeyValueStore,
    _ shared: SharedDatabaseWorker, _ keyring: Result<Keyring, MasterKeyError>, crypto: BlockingExecutor
  ) {
    self.keyValues = keyValues
    let storageQuota = configuration.storageQuota
    storage = { HostStorageService(keyValues, for: $0, quota: storageQuota) }
    sharedDatabase = { _ in HostSharedDatabaseService(shared) }
    switch keyring {
    case .success(let keyring):
      let secureQuota = configuration.secureStorageQuota
      let issuer = TokenIssuer(name: configuration.tokenIssuer, seed: keyring.tokens)
      let now = configuration.now
      masterKeyFault = nil
      secureStorage = {
        HostSecureStorageService(keyValues, key: keyring.storage, for: $0, quota: secureQuota)
      }
      cryptoUtilities = { HostCryptoUtilitiesService(keyring.modules, for: $0, on: crypto) }
      authentication = { HostAuthenticationService(issuer, for: $0, on: crypto, now: now) }
    case .failure(let fault):
      masterKeyFault = fault
      secureStorage = { KeylessServices(caller: $0, reason: fault) }
      cryptoUtilities = { KeylessServices(caller: $0, reason: fault) }
      authentication = { KeylessServices(caller: $0, reason: fault) }
    }
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
    let executor = try thread(name ?? path)
    do { return try await open(path, executor) } catch {
      throw .database(path: path, message: error.message)
    }
  }

  private static func thread(_ name: String) throws(HostServicesError) -> BlockingExecutor {
    do { return try BlockingExecutor(name: name) } catch { throw .noThread(error) }
  }
}
