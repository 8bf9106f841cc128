import ForsettiServices

/// What a module keeps in the services, as commands that run beside no supervisor reach it.
enum ModuleData {
  /// Deletes what a module of one origin keeps in storage and secure storage. Exported files are people's, and stay.
  /// - Parameter origin: as `ModuleOrigin.text` says it.
  static func erase(moduleID: String, origin: String, state: String) async throws(CommandFailure) {
    let services: HostServices
    do { services = try await HostServices.open(HostServicesConfiguration(stateFolder: state)) } catch {
      throw failure(moduleID, "\(error)")
    }
    do { try await services.eraseData(moduleID: moduleID, origin: origin) } catch {
      throw failure(moduleID, "\(error)")
    }
  }

  private static func failure(_ moduleID: String, _ reason: String) -> CommandFailure {
    CommandFailure(status: .ioError, message: "the data of \(moduleID) cannot be erased: \(reason)")
  }
}
