import ForsettiCore
import Testing

@testable import ForsettiModules

@Suite("The catalogue of the retail UI") struct RetailCatalogueTests {
  @MainActor @Test("has each of the shipped modules once, and a way to its view that is there")
  func complete()
    throws
  {
    let registry = try ShippedModules.registry()
    let shipped = try registry.registeredEntryPoints.map {
      try registry.makeModule(entryPoint: $0).manifest.moduleID
    }
    #expect(RetailCatalogue.entries.map(\.moduleID).sorted() == shipped.sorted())
    let routes = RetailUIContributions.contributions.overlaySchema?.routes.map(\.routeID) ?? []
    let shown = RetailCatalogue.entries.compactMap(\.routeID)
    #expect(Set(shown).isSubset(of: routes))
    #expect(Set(routes).subtracting(shown) == ["home"])
  }

  @Test(
    "a module's category follows from its ID",
    arguments: [
      ("feature.computer-search", .inventory), ("feature.mobile-device-search", .inventory),
      ("feature.permissions-matrix", .inventory), ("feature.support-technician", .operations),
      ("feature.prestage-director", .operations), ("feature.reports", .reporting),
      ("feature.deployment-tracker", .deployment), ("service.jamf", .services), ("retail.ui", .interface),
    ] as [(String, RetailCatalogue.Category)])
  func categories(name: String, expected: RetailCatalogue.Category) {
    #expect(RetailCatalogue.category(of: RetailCatalogue.prefix + name) == expected)
  }
}
