import ForsettiCore
import ForsettiRuntime

/// What the state says of one module, read beside a supervisor that may be running.
struct RegistrationView {
  var record: ModuleRegistrationRecord?
  var acceptance: Acceptance?

  /// Reads it; all absent where there is no state yet.
  static func read(moduleID: String, state: String) throws(StoreError) -> RegistrationView {
    guard let database = try StateDatabase.forReading(folder: state) else { return RegistrationView() }
    return RegistrationView(
      record: try database.record(moduleID: moduleID), acceptance: try database.acceptance(moduleID: moduleID)
    )
  }

  /// How the module differs from its record; `nil` where it agrees or there is none.
  func drift(of module: LoadedManifest) -> RegistrationDrift? {
    record.flatMap { module.drift(from: $0) }
  }

  /// Whether a person accepted just this.
  func isAccepted(_ module: LoadedManifest) -> Bool { acceptance?.covers(module) ?? false }
}
