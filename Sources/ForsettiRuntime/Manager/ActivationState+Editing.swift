import ForsettiCore

extension ActivationState {
  /// Wants this module: a service beside the others, a UI or app module instead of the others and selected.
  mutating func add(_ manifest: ModuleManifest) {
    if manifest.moduleType == .service {
      enabledServiceModuleIDs.insert(manifest.moduleID)
    } else {
      enabledUIModuleIDs = [manifest.moduleID]
      selectedUIModuleID = manifest.moduleID
    }
  }

  /// Wants this module no more.
  mutating func remove(_ moduleID: String) {
    enabledServiceModuleIDs.remove(moduleID)
    enabledUIModuleIDs.remove(moduleID)
    if selectedUIModuleID == moduleID { selectedUIModuleID = nil }
  }
}
