import ForsettiCore
import ForsettiIPC
import ForsettiModuleKit
import ForsettiModules
import Testing

/// The shipped modules in the order of SPEC §7, by entry point.
private let entryPoints = [
  "ForsettiJamfServiceModule", "ForsettiDiagnosticsServiceModule", "ForsettiScannerServiceModule",
  "ForsettiComputerSearchModule", "ForsettiMobileDeviceSearchModule", "ForsettiSupportTechnicianModule",
  "ForsettiPrestageDirectorModule", "ForsettiReportsModule", "ForsettiDeploymentTrackerModule",
  "ForsettiPermissionsMatrixModule", "ForsettiRetailUIModule",
]

@MainActor @Suite struct ShippedModuleTests {
  @Test("the registry has the eleven entry points of the seeds, and no other") func registry() throws {
    #expect(try ShippedModules.registry().registeredEntryPoints == entryPoints.sorted())
  }

  @Test("a module's own manifest is the one on disk, field for field", arguments: entryPoints)
  func manifest(entryPoint: String) throws {
    let module = try ShippedModules.registry().makeModule(entryPoint: entryPoint)
    let file = "\(entryPoint).json"
    let onDisk = try ManifestDecoder.decode(bytes: try ShippedFiles.manifest(file), file: file)
    #expect(module.manifest == onDisk.manifest)
    #expect(module.descriptor == onDisk.manifest.descriptor)
    #expect(module.manifest.entryPoint == entryPoint)
    #expect("\(type(of: module))" == entryPoint)
    #expect(onDisk.warnings == [])
  }

  @Test("every manifest on disk belongs to a shipped module") func nothingElseOnDisk() throws {
    #expect(try ShippedFiles.manifestNames() == entryPoints.map { "\($0).json" }.sorted())
  }

  @Test("the retail UI alone is a UI module, and contributes something of each kind it may")
  func contributions() throws {
    let registry = try ShippedModules.registry()
    for entryPoint in entryPoints {
      let module = try registry.makeModule(entryPoint: entryPoint)
      #expect(module is any ForsettiUIModule == (module.manifest.moduleType != .service))
    }
    let module = try #require(
      try registry.makeModule(entryPoint: "ForsettiRetailUIModule") as? any ForsettiUIModule)
    let declared = try #require(module.manifest.runtimeRequirements.ui)
    let contributions = module.uiContributions
    try UIContributionValidator.validate(contributions, of: module.manifest)
    let schema = try #require(contributions.overlaySchema)
    #expect(contributions.toolbarItems.map(\.itemID).sorted() == declared.toolbarItemIDs.sorted())
    #expect(schema.routes.map(\.routeID) == declared.routeIDs)
    #expect(contributions.themeMask != nil)
    #expect(!contributions.viewInjections.isEmpty)
    let routed = schema.routes.compactMap { route -> String? in
      guard case .moduleOverlay(let viewID, _) = route.destination else { return nil }
      return viewID
    }
    #expect(routed.sorted() == declared.viewIDs.sorted())
    for case .publishEvent(let type, _) in contributions.toolbarItems.map(\.action) {
      #expect(type.hasPrefix(module.manifest.moduleID + "."))
    }
  }
}

/// Keeps each step before it takes it, so it does not start without a place for that.
private let keepingEntryPoint = "ForsettiDeploymentTrackerModule"

/// The shipped host with the shipped modules, locked.
@Suite(.serialized) struct ShippedHostTests {
  private func manifest(_ entryPoint: String) throws -> ModuleManifest {
    let file = "\(entryPoint).json"
    return try ManifestDecoder.decode(bytes: try ShippedFiles.manifest(file), file: file).manifest
  }

  @Test(
    "each of the eleven describes itself, starts and stops in a locked process",
    arguments: entryPoints.filter { $0 != keepingEntryPoint })
  func life(entryPoint: String) throws {
    let manifest = try manifest(entryPoint)
    let supervisor = try ScriptedSupervisor(host: "forsetti-module-host")
    let description = try supervisor.bringUp(entryPoint, grants: Set(manifest.capabilitiesRequested))
    #expect(description.manifest == manifest)
    #expect(description.descriptor == manifest.descriptor)
    #expect(description.isUIModule == (manifest.moduleType == .ui))
    #expect((description.contributions != nil) == description.isUIModule)
    let started = ProtocolMessage.publish(PublishMessage(type: "\(manifest.moduleID).started"))
    // Without a service: a module that has work to do with them would wait for answers that nobody gives here. What its
    // desk subscribes to is answered.
    supervisor.answersSubscriptions = true
    let activated = ProtocolMessage.log(LogMessage(level: .info, message: "activated"))
    // It may say besides what it goes without.
    let messages = try supervisor.start(grants: [])
    #expect(messages.filter { $0 == started || $0 == activated } == [started, activated])
    #expect(try supervisor.status("Threads") == "1")
    #expect(try supervisor.stop().last == .log(LogMessage(level: .info, message: "stopped")))
    #expect(try supervisor.waitForExit() == .exited(code: 0))
    #expect(supervisor.servedCalls == [])
    #expect(supervisor.output() == "")
  }
  @Test("one that keeps each step does not start without its storage, and says so") func keeper() throws {
    let supervisor = try ScriptedSupervisor(host: "forsetti-module-host")
    let manifest = try manifest(keepingEntryPoint)
    _ = try supervisor.bringUp(keepingEntryPoint, grants: Set(manifest.capabilitiesRequested))
    supervisor.answersSubscriptions = true
    try supervisor.send(.start(StartMessage(grants: [])))
    var reason: String?
    _ = try supervisor.receive {
      if case .startFailed(let message) = $0 { reason = message.reason }
      return reason != nil
    }
    #expect(reason?.contains("storage") == true)
  }
}
