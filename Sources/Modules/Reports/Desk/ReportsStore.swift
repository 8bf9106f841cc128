internal import ForsettiModuleKit

/// What reports keep past a restart: their definitions, and where devices say their location. Nothing of any device.
@MainActor
struct ReportsStore {
  let storage: any StorageService

  private static let store = "forsetti-reports"
  private static let definitionsKey = "definitions"
  private static let locationKey = "location-attribute"

  /// The definitions; a fault where what was kept is none of ours.
  func definitions() async throws -> SavedReports {
    guard let text = try await storage.value(forKey: Self.definitionsKey, in: Self.store) else {
      return SavedReports()
    }
    return try SavedReports(text: text)
  }

  func keep(_ saved: SavedReports) async throws(ServiceError) {
    try await storage.set(saved.text, forKey: Self.definitionsKey, in: Self.store)
  }

  /// The extension attribute of locations, if one was set.
  func locationAttribute() async throws(ServiceError) -> String? {
    try await storage.value(forKey: Self.locationKey, in: Self.store)
  }

  func keep(locationAttribute: String?) async throws(ServiceError) {
    guard let name = locationAttribute else {
      return try await storage.removeValue(forKey: Self.locationKey, in: Self.store)
    }
    try await storage.set(name, forKey: Self.locationKey, in: Self.store)
  }
}
