import ForsettiCore
import ForsettiServices
import Foundation
import Glibc

@testable import ForsettiRuntime

/// What the checkout ships: manifests, the strict policy, and the host beside the tests.
enum Shipped {
  /// The root of the checkout.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// The build folder that holds the test bundle, and so the host of the same build.
  static let buildFolder: String = {
    let me = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    // The test runner may be the toolchain's: then the bundle is its argument.
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }.map { URL(filePath: $0) } ?? me
    return bundle.deletingLastPathComponent().path
  }()

  /// The IDs of the shipped set in the order of SPEC §7.
  static let order = [
    "service.jamf", "service.diagnostics", "service.scanner", "feature.computer-search",
    "feature.mobile-device-search", "feature.support-technician", "feature.prestage-director",
    "feature.reports",
    "feature.deployment-tracker", "feature.permissions-matrix", "retail.ui",
  ].map { "com.forsetti.jamfpro.\($0)" }

  static func policy(_ name: String = "strict") throws -> Policy {
    let bytes = try Data(contentsOf: URL(filePath: "\(root)/policy/\(name).json"))
    return try PolicyDecoder.decode(bytes: Array(bytes), file: "\(name).json")
  }

  static func configuration(
    state: String, policy: Policy? = nil, host: String? = nil
  ) throws -> RuntimeConfiguration {
    RuntimeConfiguration(
      policy: try policy ?? Self.policy(), policyFolder: "\(root)/policy",
      manifests: .folder("\(root)/Resources/ForsettiManifests"), stateFolder: state,
      hostPath: host ?? "\(buildFolder)/forsetti-module-host",
      services: { () throws(BootFailure) in try await services(state) })
  }

  /// The host's own, as far as modules need them to start.
  private static func services(_ state: String) async throws(BootFailure) -> ForsettiServiceContainer {
    let host: HostServices
    do throws(HostServicesError) {
      host = try await HostServices.open(HostServicesConfiguration(stateFolder: state))
    } catch { throw .services(reason: error.description) }
    var container = ForsettiServiceContainer()
    container.register((any StorageService).self, host.storage)
    container.register((any SecureStorageService).self, host.secureStorage)
    container.register((any DiagnosticsService).self, host.diagnostics)
    return container
  }
}
