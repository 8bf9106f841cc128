import ForsettiBlocking
import ForsettiCore
import ForsettiSQLite
import Glibc

/// What the adapters of all modules work with, each on its own thread.
struct HostServiceParts: Sendable {
  let keyValues: KeyValueStore
  let shared: SharedDatabaseWorker
  let diagnostics: DiagnosticsStore
  let exports: ExportStore
  /// `nil` where telemetry is off.
  let telemetry: (any TelemetrySink)?
  /// `nil` where no collector takes traces.
  let spans: OTLPCollector<CallSpan>?
  /// For what takes time, but waits for nothing.
  let crypto: BlockingExecutor
  let digester: BodyDigester
  let keyring: Result<Keyring, MasterKeyError>

  static func open(
    _ configuration: HostServicesConfiguration
  ) async throws(HostServicesError) -> HostServiceParts {
    let folder = configuration.servicesFolder
    try HostServices.makeFolder(folder)
    try HostServices.makeFolder(configuration.exportsFolder)
    let keyValues = try await opened(folder, "storage.sqlite") { (path, executor) throws(DatabaseFault) in
      try await KeyValueStore.open(path, on: executor)
    }
    let shared = try await opened(folder, "shared.sqlite") { (path, executor) throws(DatabaseFault) in
      try await SharedDatabaseWorker(path: path, limits: configuration.sharedDatabase, on: executor)
    }
    let diagnostics = try await opened(folder, "diagnostics.sqlite") {
      (path, executor) throws(DatabaseFault) in
      try await DiagnosticsStore(path: path, on: executor)
    }
    let exports = try await ExportStore(path: configuration.exportsFolder, on: try thread("exports"))
    let keyring: Result<Keyring, MasterKeyError>
    let source = MasterKeySource(credentialsFolder: configuration.credentialsFolder, folder: folder)
    do { keyring = .success(try await Keyring.open(source, knownBy: keyValues)) } catch {
      keyring = .failure(error)
    }
    return HostServiceParts(
      keyValues: keyValues, shared: shared, diagnostics: diagnostics, exports: exports,
      telemetry: try sink(configuration.telemetry, configuration.transport),
      spans: configuration.traces.map {
        OTLPCollector($0, configuration.transport, document: OTLPDocument.traces)
      },
      crypto: try thread("crypto"), digester: BodyDigester(), keyring: keyring)
  }

  /// Opens a database on a thread named after its file.
  private static func opened<Store>(
    _ folder: String, _ name: String,
    _ open: (String, BlockingExecutor) async throws(DatabaseFault) -> Store
  ) async throws(HostServicesError) -> Store {
    let executor = try thread(name)
    do { return try await open(folder + "/" + name, executor) } catch {
      throw .database(path: folder + "/" + name, message: error.message)
    }
  }

  private static func sink(
    _ destination: TelemetryDestination, _ transport: any HTTPTransport
  ) throws(HostServicesError) -> (any TelemetrySink)? {
    switch destination {
    case .off: nil
    case .file(let options): TelemetryFile(options, on: try thread("telemetry"))
    case .collector(let options): OTLPCollector(options, transport, document: OTLPDocument.logs)
    }
  }

  private static func thread(_ name: String) throws(HostServicesError) -> BlockingExecutor {
    do { return try BlockingExecutor(name: name) } catch { throw .noThread(error) }
  }
}

extension HostServices {
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
}
