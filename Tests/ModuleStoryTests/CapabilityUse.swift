import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

/// What a module was seen to use, held to what its manifest asks for.
extension ModuleDeskStory {
  /// Fails with the names of what a module asks for and its whole story has never used.
  func expectAllUsed(by module: String) async throws {
    let unused = try await unusedCapabilities(of: module).map(\.rawValue)
    #expect(unused.isEmpty, "\(module) asks for \(unused.joined(separator: ", ")) and never used it")
  }

  /// Capabilities of a module's manifest that nothing in this story so far has used: it made no call of that service that
  /// went well, answered none in that role, and has nothing of that kind on the surface. Whatever is left over at the end
  /// of a whole story is asked for in vain.
  func unusedCapabilities(of module: String) async throws -> [Capability] {
    let moduleID = try self.module(module).moduleID
    var unused = try Self.manifest(of: moduleID).capabilitiesRequested
    // A view may show what came of a call before its answer is counted.
    for _ in 0..<Self.looks where !unused.isEmpty {
      let used = try await usedServices(by: moduleID).union(usedSurface(by: moduleID))
      unused.removeAll { used.contains($0) }
    }
    return unused
  }

  /// How often is looked, at most.
  private static let looks = 20

  /// Services that a module called or provided with success, as the supervisor has counted them over all its processes.
  private func usedServices(by moduleID: String) async throws -> Set<Capability> {
    let metrics = try await command(["metrics"]).output
    let sample = /forsetti_(?:provided_)?calls_total\{module="([^"]+)",service="([^"]+)",result="ok"\} (\d+)/
    return Set(
      metrics.matches(of: sample).compactMap { match in
        match.1 == moduleID && match.3 != "0" ? Capability(rawValue: String(match.2)) : nil
      })
  }

  /// What a module has on the surface.
  private func usedSurface(by moduleID: String) async throws -> Set<Capability> {
    let answer = try JSONParser.parse(Array(try await command(["surface", "--json"]).output.utf8)).root
    guard let surface = answer["surface"], answer["moduleID"]?.stringValue == moduleID else { return [] }
    func isThere(_ key: String) -> Bool {
      guard let part = surface[key] else { return false }
      return !(part.isNull || part.elements?.isEmpty ?? false || part.members?.isEmpty ?? false)
    }
    let parts: [(Capability, String)] = [
      (.toolbarItems, "toolbar"), (.viewInjection, "injections"), (.routingOverlay, "overlays"),
      (.uiThemeMask, "themeMask"),
    ]
    return Set(parts.filter { isThere($0.1) }.map(\.0))
  }

  private static func manifest(of moduleID: String) throws -> ModuleManifest {
    for name in try FileManager.default.contentsOfDirectory(atPath: Product.manifests) {
      let bytes = Array(try Data(contentsOf: URL(filePath: Product.manifests + "/" + name)))
      let manifest = try ManifestDecoder.decode(bytes: bytes, file: name).manifest
      if manifest.moduleID == moduleID { return manifest }
    }
    throw Fault(what: "\(moduleID) has no manifest")
  }
}
