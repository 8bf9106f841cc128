public import ForsettiModuleKit

/// A module that searches one kind of device. The kinds differ in their subject alone.
public class InventorySearchModule: ForsettiLifecycleModule, ForsettiRenderingModule {
  private let subject: SearchSubject
  private var desk: ModuleDesk?
  private var search: SearchDesk?

  init(_ subject: SearchSubject, manifest: ModuleManifest) {
    self.subject = subject
    super.init(manifest: manifest)
  }

  /// Takes up what was kept, and listens to buttons and forms from then on.
  public override func activate(context: ForsettiContext) async throws {
    let desk = ModuleDesk(context: context)
    let search = SearchDesk(
      subject, SearchTools(context), changed: { [weak desk] in desk?.changed() },
      told: { [weak desk] in await desk?.told() })
    (self.desk, self.search) = (desk, search)
    await search.load()
    for verb in SearchVerb.allCases {
      try await desk.on(verb.rawValue) { [weak search] in await search?.handle(verb, $0) }
    }
  }

  /// Asks nothing more of anybody: what is kept is in storage already.
  public override func deactivate(context: ForsettiContext) async {
    search?.stop()
    desk?.close()
    (desk, search) = (nil, nil)
  }

  /// Draws the search as it stands.
  public func render(viewID: String, parameters: [String: String]) async throws -> ViewNode {
    guard viewID == subject.viewID, let search else { throw ServiceError.notFound(viewID) }
    return SearchView(subject: subject, moduleID: manifest.moduleID, state: search.state).tree
  }
}
