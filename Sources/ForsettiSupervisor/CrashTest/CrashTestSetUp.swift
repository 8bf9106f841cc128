import ForsettiCore
import ForsettiHostileSet
import ForsettiRuntime
import Glibc

/// All that a crash test runs on: the user's policy and modules, the suite's, and a folder of its own.
struct CrashTestSetUp: Sendable {
  /// The user's.
  var policy: Policy
  var policyFolder: String
  var manifests: RuntimeConfiguration.ManifestSource
  var userModules: ForsettiModuleCatalog
  /// Where the user's bundles are, if there are any.
  var bundleFolder: String?
  var moduleHost: String
  var networkWorker: String
  var hostileHost: String
  /// The executable of the suite's bundles.
  var hostileProbe: String
  var folder: CrashTestFolder
  var cases: [HostileCase]

  /// A runtime of it all that is not booted yet and reports to `observations`.
  /// - Parameter wrap: puts something between the launcher and whoever observes it.
  @ReactorActor
  func open(
    _ observations: Observations,
    wrap: @escaping @ReactorActor @Sendable (any ModuleLauncher) -> any ModuleLauncher = { $0 }
  ) async throws(CommandFailure) -> ForsettiRuntimeBootstrap {
    let hashes = try writeModules()
    let trial: Policy
    do throws(ModulePatternFault) {
      trial = try policy.forCrashTest(cases, bundleFolder: bundleFolder, hashes: hashes)
    } catch {
      throw CommandFailure(status: .software, message: "a module of the suite has a bad ID: \(error.reason)")
    }
    try writeState()
    let logger = RuntimeLogger(level: .error, sinks: [])
    let network = try NetworkAccess(policy: trial, path: networkWorker, userID: geteuid())
    let state = folder.state
    var configuration = RuntimeConfiguration(
      policy: trial, policyFolder: policyFolder,
      manifests: .together([
        manifests, .folder(folder.manifests), .bundles(BundleFolder(policy: trial, path: folder.bundles)),
      ]),
      stateFolder: state, hostPath: moduleHost,
      services: { () async throws(BootFailure) in
        try await HostServicesInput.open(stateFolder: state, policy: trial, network: network, logger: logger)
      })
    let ids = cases.filter { !$0.isBundle }.map(\.moduleID) + HostileNeighbour.allCases.map(\.moduleID)
    configuration.otherHosts = Dictionary(ids.map { ($0, hostileHost) }) { first, _ in first }
    configuration.wrapLauncher = { ObservingLauncher(wrap($0), observations) }
    do throws(BootFailure) {
      return ForsettiRuntimeBootstrap(
        runtime: try await ForsettiRuntime.open(configuration, logger: logger), restoring: true)
    } catch { throw CommandFailure(error) }
  }

  /// Changes the executable of a case's bundle as somebody would who has found a way to write there.
  @ReactorActor
  func tamper(with hostileCase: HostileCase) { folder.changeExecutable(of: hostileCase.moduleID) }

  /// Writes what a person would install.
  /// - Returns: the hashes of the executables of bundles, by module ID.
  private func writeModules() throws(CommandFailure) -> [String: String] {
    for neighbour in HostileNeighbour.allCases { try folder.write(neighbour.manifest) }
    var hashes: [String: String] = [:]
    for hostileCase in cases {
      guard hostileCase.isBundle else {
        try folder.write(hostileCase.manifest)
        continue
      }
      let probe: [UInt8]
      do throws(TrustedFileError) { probe = try TrustedFile.read(hostileProbe, limit: 16 << 20) } catch {
        throw CommandFailure(status: .unavailable, message: "the hostile bundles can't be made: \(error)")
      }
      // What follows a program is nothing to it, and makes each a program of its own: none runs another's copy.
      let executable = probe + Array(hostileCase.name.utf8)
      try folder.write(bundle: hostileCase.manifest, executable: executable)
      hashes[hostileCase.moduleID] = SHA256.hex(executable)
    }
    return hashes
  }

  /// A state as after a first boot, in which the user's modules and the neighbours are to run, and no other: what can't
  /// be restored is told of and holds up nobody.
  private func writeState() throws(CommandFailure) {
    let manifests = userModules.manifests.map(\.manifest)
    let services = manifests.filter { $0.moduleType == .service }.map(\.moduleID)
    let interfaces = manifests.filter { $0.moduleType != .service }.map(\.moduleID)
    let selected =
      policy.selectedUIModuleID.flatMap { userModules[$0]?.manifest.moduleID } ?? interfaces.first
    let activation = ActivationState(
      enabledServiceModuleIDs: Set(services + HostileNeighbour.allCases.map(\.moduleID)),
      enabledUIModuleIDs: Set(selected.map { [$0] } ?? []), selectedUIModuleID: selected)
    do throws(StoreError) {
      try StateDatabase(folder: folder.state).commit(
        StateChange(activation: activation, completesFirstBoot: true))
    } catch { throw CommandFailure(error) }
  }
}
