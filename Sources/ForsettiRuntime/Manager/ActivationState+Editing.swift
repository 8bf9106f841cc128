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

  /// Takes back what `add` did, as far as it is this module's.
  mutating func restore(_ manifest: ModuleManifest, as before: ActivationState) {
    if manifest.moduleType == .service {
      if !before.enabledServiceModuleIDs.contains(manifest.moduleID) {
        enabledServiceModuleIDs.remove(manifest.moduleID)
      }
    } else {
      enabledUIModuleIDs = before.enabledUIModuleIDs
      selectedUIModuleID = before.selectedUIModuleID
    }
  }

  /// Wants this module no more.
  mutating func remove(_ moduleID: String) {
    enabledServiceModuleIDs.remove(moduleID)
    enabledUIModuleIDs.remove(moduleID)
    if selectedUIModuleID == moduleID { selectedUIModuleID = nil }
  }
}
