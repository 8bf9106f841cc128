import Foundation
import ForsettiModuleKit
import Testing

@testable import ForsettiModules

/// The pages of `docs/modules`, held to the modules.
@Suite struct ModulePagesTests {
  /// Manifest, page, folder of the sources.
  private static let pages: [(manifest: ModuleManifest, page: String, folder: String)] = [
    (JamfServiceManifest.manifest, "jamf", "JamfService"),
    (DiagnosticsServiceManifest.manifest, "diagnostics", "DiagnosticsService"),
    (ScannerServiceManifest.manifest, "scanner", "ScannerService"),
    (ComputerSearchManifest.manifest, "computer-search", "Shared/InventorySearch"),
    (MobileDeviceSearchManifest.manifest, "mobile-device-search", "MobileDeviceSearch"),
    (SupportTechnicianManifest.manifest, "support-technician", "SupportTechnician"),
    (PrestageDirectorManifest.manifest, "prestage-director", "PrestageDirector"),
    (ReportsManifest.manifest, "reports", "Reports"),
    (DeploymentTrackerManifest.manifest, "deployment-tracker", "DeploymentTracker"),
    (PermissionsMatrixManifest.manifest, "permissions-matrix", "PermissionsMatrix"),
    (RetailUIManifest.manifest, "retail-ui", "RetailUI"),
  ]

  /// The folder of the build may be a link.
  private static let checkout = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: checkout.appending(path: path), encoding: .utf8)
  }

  /// What a module's desk listens to.
  private static func verbs(in folder: String) throws -> Set<String> {
    switch folder {
    case "Shared/InventorySearch": return Set(SearchVerb.allCases.map(\.rawValue))
    case "DeploymentTracker": return Set(DeploymentVerb.allCases.map(\.rawValue))
    default: break
    }
    let root = checkout.appending(path: "Sources/Modules/\(folder)")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    var verbs: Set<String> = []
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      let source = try String(contentsOf: file, encoding: .utf8)
      verbs.formUnion(source.matches(of: #/desk\.on\("([A-Za-z-]+)"\)/#).map { String($0.1) })
    }
    return verbs
  }

  /// The words in back-ticks below the head of this name, in all tables of a page.
  private static func column(_ name: String, of page: String) -> Set<String> {
    var words: Set<String> = []
    var place: Int?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        place = nil
        continue
      }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      if let place {
        words.formUnion(cells[place].matches(of: #/`([A-Za-z-]+)`/#).map { String($0.1) })
      } else {
        place = cells.firstIndex(of: name)
      }
    }
    return words
  }

  @Test("a page names every button and form of its module, and none that there isn't", arguments: pages)
  func verbs(manifest: ModuleManifest, name: String, folder: String) throws {
    let page = try Self.text("docs/modules/\(name).md")
    let verbs = try Self.verbs(in: folder)
    for verb in verbs where manifest.moduleType != .ui { #expect(page.contains("`\(verb)`"), "\(verb)") }
    let named = ["event", "verb", "action"].reduce(into: Set<String>()) {
      $0.formUnion(Self.column($1, of: page))
    }
    #expect(named.subtracting(verbs).isEmpty)
  }

  @Test("a page names its module and its role, and the index what it asks for", arguments: pages)
  func facts(manifest: ModuleManifest, name: String, folder: String) throws {
    let page = try Self.text("docs/modules/\(name).md")
    #expect(page.contains("`\(manifest.moduleID)`"))
    if let role = manifest.defaultModuleRole, role != .ui {
      #expect(page.contains("role `\(role.rawValue)`") || page.contains("`\(role.rawValue)` role"))
    }
    let index = try Self.text("docs/modules/README.md")
    let row = try #require(index.split(separator: "\n").first { $0.contains("(\(name).md)") })
    let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect("com.forsetti.jamfpro." + cells[1].dropFirst().dropLast() == manifest.moduleID)
    #expect(cells[0].hasPrefix("[\(manifest.displayName)]"))
    let asked = cells[3].matches(of: #/`([a-z_]+)`/#).map { String($0.1) }
    #expect(Set(asked) == Set(manifest.capabilitiesRequested.map(\.rawValue)))
  }

  @Test("a view that the policy gives to a module stands on that module's page") func views() throws {
    let limits = JSONLimits(bytes: 1 << 20)
    let policy = try JSONParser.parse(Array(Self.text("policy/strict.json").utf8), limits: limits).root
    let views = try #require(policy["views"]?.members)
    #expect(!views.isEmpty)
    for view in views {
      let module = Self.pages.first { $0.manifest.moduleID == view.value.stringValue }
      let page = try Self.text("docs/modules/\(try #require(module).page).md")
      #expect(page.contains("`\(view.key)`"), "\(view.key)")
    }
  }
}
