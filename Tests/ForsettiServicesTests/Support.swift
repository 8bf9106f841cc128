import CLinux
import ForsettiCore
import ForsettiTestKit
import Foundation
import Synchronization
import Testing

@testable import ForsettiRuntime
@testable import ForsettiServices

/// Folders of services, which outlive the expression that opened them. They go when the tests are over.
private final class KeptFolders: Sendable {
  static let shared = KeptFolders()
  private let folders = Mutex<[Scratch]>([])

  private init() { atexit { KeptFolders.shared.folders.withLock { $0 = [] } } }

  func keep(_ folder: Scratch) { folders.withLock { $0.append(folder) } }
}

extension Scratch {
  /// The services in this folder.
  func services(
    _ change: (inout HostServicesConfiguration) throws -> Void = { _ in }
  ) async throws -> HostServices {
    KeptFolders.shared.keep(self)
    var configuration = HostServicesConfiguration(stateFolder: path)
    configuration.transport = try SharedNetworkWorker.result.get()
    try change(&configuration)
    return try await HostServices.open(configuration)
  }
}

/// A network worker as the supervisor has it, with a keeper of its own.
func networkWorker(_ change: (inout NetworkWorkerOptions) -> Void = { _ in }) throws -> NetworkWorker {
  var options = NetworkWorkerOptions(
    path: ChildProgram.folder + "/forsetti-network-worker", userID: geteuid() == 0 ? 1_879_048_192 : nil)
  change(&options)
  return NetworkWorker(try NetworkKeeper(options), options, logger: SilentLogger())
}

/// One for all tests that leave it alone.
enum SharedNetworkWorker {
  static let result = Result { try networkWorker() }
}

/// A caller as the broker would make it.
func caller(
  _ moduleID: String = "a.module", origin: ModuleOrigin = .builtIn, stores: [String] = []
) -> ServiceCaller {
  ServiceCaller(
    manifest: ModuleManifest(
      moduleID: moduleID, displayName: "Module", moduleVersion: SemVer(major: 1, minor: 2, patch: 3),
      moduleType: .service,
      supportedPlatforms: [.linux], minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0),
      capabilitiesRequested: Capability.allCases, entryPoint: "A",
      runtimeRequirements: RuntimeRequirements(
        dataIsolation: DataIsolation(mode: .privateToModule, ownedStoreIDs: stores))),
    origin: origin, grants: Set(Capability.allCases))
}
