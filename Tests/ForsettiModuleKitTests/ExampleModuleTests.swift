import ForsettiModuleKit
import ForsettiModules
import Testing

private let entryPoints = ["ExampleServiceModule", "ExampleUIModule"]

@MainActor @Suite struct ExampleModuleTests {
  private func registry() throws -> ModuleRegistry {
    let registry = ModuleRegistry()
    try ExampleModules.register(in: registry)
    return registry
  }

  @Test("they are registered beside the shipped ones, once") func registration() throws {
    #expect(try registry().registeredEntryPoints == entryPoints)
    let shipped = try ShippedModules.registry()
    try ExampleModules.register(in: shipped)
    #expect(shipped.registeredEntryPoints.count == 13)
    #expect(throws: ModuleRegistryError.duplicateEntryPoint("ExampleServiceModule")) {
      try ExampleModules.register(in: shipped)
    }
  }

  @Test("a module's own manifest is the one on disk, field for field", arguments: entryPoints)
  func manifest(entryPoint: String) throws {
    let module = try registry().makeModule(entryPoint: entryPoint)
    let file = "\(entryPoint).json"
    let onDisk = try ManifestDecoder.decode(
      bytes: ShippedFiles.manifest(file, in: "ExampleManifests"), file: file)
    #expect(module.manifest == onDisk.manifest)
    #expect(onDisk.warnings == [])
    #expect(try ShippedFiles.manifestNames(in: "ExampleManifests") == entryPoints.map { "\($0).json" })
  }

  @Test("the UI module contributes every ID that it declares") func contributions() throws {
    let module = try #require(
      try registry().makeModule(entryPoint: "ExampleUIModule") as? any ForsettiUIModule)
    let declared = try #require(module.manifest.runtimeRequirements.ui)
    let contributions = module.uiContributions
    try UIContributionValidator.validate(contributions, of: module.manifest)
    #expect(contributions.toolbarItems.map(\.itemID) == declared.toolbarItemIDs)
    #expect(contributions.overlaySchema?.routes.map(\.routeID) == declared.routeIDs)
    #expect(contributions.overlaySchema?.pointers.map(\.pointerID) == declared.pointerIDs)
  }

  @Test("every view it declares can be drawn, and no other") func views() async throws {
    let module = try #require(
      try registry().makeModule(entryPoint: "ExampleUIModule") as? any ForsettiRenderingModule)
    for viewID in try #require(module.manifest.runtimeRequirements.ui).viewIDs {
      _ = try await module.render(viewID: viewID, parameters: [:])
    }
    await #expect(throws: ServiceError.notFound("other")) {
      try await module.render(viewID: "other", parameters: [:])
    }
  }

  @Test("without its services the service still starts once, says so, and stops") func bare() async throws {
    let module = try registry().makeModule(entryPoint: "ExampleServiceModule")
    let outlet = RecordingOutlet()
    let context = ForsettiContext(manifest: module.manifest, grants: [], outlet: outlet)
    await module.stop(context: context)
    #expect(outlet.entries == [])
    try await module.start(context: context)
    try await module.start(context: context)
    let said = outlet.entries.filter { !$0.hasPrefix("warning") }
    #expect(said == ["event com.forsetti.example.service.started", "info activated"])
    #expect(outlet.entries.count { $0.hasPrefix("warning") } == 2, "one for each service it was not granted")
    await module.stop(context: context)
    #expect(
      outlet.entries.suffix(2) == ["event com.forsetti.example.service.stopped", "info stopped"])
  }
}
