import CLinux
import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiRuntime
@testable import ForsettiServices

/// A folder of a test's own, of mode 0700. It stays until the tests are over: services outlive the expression that
/// opened them.
final class Scratch: Sendable {
  let path: String

  private static let root: String = {
    var template = Array("/tmp/forsetti-services-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return "/nonexistent" }
    atexit { try? FileManager.default.removeItem(atPath: Scratch.root) }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  init() throws {
    path = Self.root + "/" + UUID().uuidString
    guard mkdir(path, 0o700) == 0 else { throw POSIXError(.EIO) }
  }

  /// The path of an entry.
  func at(_ name: String) -> String { path + "/" + name }

  /// The services in this folder.
  func services(
    _ change: (inout HostServicesConfiguration) throws -> Void = { _ in }
  ) async throws -> HostServices {
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

/// Nobody listens.
struct SilentLogger: ForsettiLogger {
  func isEnabled(_ level: LogLevel) -> Bool { false }
  func log(_ level: LogLevel, _ message: String, moduleID: String?, metadata: [String: String]) {}
  func relay(_ level: LogLevel, _ message: String, from moduleID: String, metadata: [String: String]) {}
  func forget(moduleID: String) {}
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
