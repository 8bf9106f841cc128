import ForsettiCore
import ForsettiRuntime
import ForsettiServices

/// The host's services as the runtime takes them: each adapter under the protocol it answers.
enum HostServicesInput {
  /// What a shutdown waits for the collector of telemetry, when the modules have ended.
  private static let flushLimit = Duration.seconds(2)

  /// Opens them in the state folder. A master key that is missing or wrong is told of and takes along what needs it,
  /// nothing else.
  static func open(
    stateFolder: String, policy: Policy, network: NetworkAccess?, logger: any ForsettiLogger
  ) async throws(BootFailure) -> ForsettiServiceContainer {
    var configuration = configuration(stateFolder: stateFolder, policy: policy)
    if let network { configuration.transport = network.transport(logger: logger) }
    let host: HostServices
    do throws(HostServicesError) {
      host = try await HostServices.open(configuration)
    } catch { throw .services(reason: error.description) }
    if let fault = host.masterKeyFault {
      logger.error(
        "secure storage, cryptography and authentication have no key: \(fault)", moduleID: nil)
    }
    var container = container(of: host)
    container.atShutdown {
      let unsent = await host.flush(within: flushLimit)
      if unsent > 0 {
        logger.warning(
          "\(counted(unsent, "record")) of telemetry and traces could not be sent", moduleID: nil)
      }
    }
    return container
  }

  private static func configuration(stateFolder: String, policy: Policy) -> HostServicesConfiguration {
    var configuration = HostServicesConfiguration(stateFolder: stateFolder)
    configuration.networkingRules = { $0.networking }
    configuration.telemetry =
      switch policy.telemetry {
      case .off: .off
      case .file(let bytes, let files):
        .file(
          TelemetryFileOptions(
            path: stateFolder + "/services/telemetry.jsonl", bytes: Int64(bytes), files: files))
      case .collector(let url): .collector(TelemetryCollectorOptions(url: url))
      }
    configuration.traces = policy.traces.map { TelemetryCollectorOptions(url: $0.url) }
    return configuration
  }

  private static func container(of host: HostServices) -> ForsettiServiceContainer {
    var container = ForsettiServiceContainer()
    container.register((any StorageService).self, host.storage)
    container.register((any SecureStorageService).self, host.secureStorage)
    container.register((any FileExportService).self, host.fileExport)
    container.register((any NetworkingService).self, host.networking)
    container.register((any TelemetryService).self, host.telemetry)
    container.register((any CryptoUtilitiesService).self, host.cryptoUtilities)
    container.register((any SharedDatabaseService).self, host.sharedDatabase)
    container.register((any AuthenticationService).self, host.authentication)
    container.register((any DiagnosticsService).self, host.diagnostics)
    container.spanSink = host.spans
    container.keepReports { (report) throws(ServiceError) in try await host.keep(report) }
    return container
  }
}
