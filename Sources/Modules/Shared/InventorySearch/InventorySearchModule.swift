internal import ForsettiModuleKit

/// A module that searches one kind of device. The kinds differ in their subject alone.
public class InventorySearchModule: ViewDeskModule {
  init(_ subject: SearchSubject, manifest: ModuleManifest) {
    super.init(manifest, viewID: subject.viewID) { InventorySearchDesk(subject, $0) }
  }
}

/// A search behind the buttons and forms of its module's view.
@MainActor private final class InventorySearchDesk: ViewDesk {
  private let subject: SearchSubject
  private let moduleID: String
  private let desk: ModuleDesk
  private let search: SearchDesk

  init(_ subject: SearchSubject, _ context: ForsettiContext) {
    let desk = ModuleDesk(context: context)
    self.subject = subject
    self.desk = desk
    moduleID = context.moduleID
    search = SearchDesk(
      subject, SearchTools(context), changed: { [weak desk] in desk?.changed() },
      told: { [weak desk] in await desk?.told() })
  }

  func open() async throws {
    await search.load()
    for verb in SearchVerb.allCases {
      try await desk.on(verb.rawValue) { [weak search] in await search?.handle(verb, $0) }
    }
  }

  func close() {
    search.stop()
    desk.close()
  }

  func draw() -> ViewNode { SearchView(subject: subject, moduleID: moduleID, state: search.state).tree }
}
