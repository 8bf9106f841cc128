/// Desired state: what a person wants active (seed "Module State Model"). Sets are kept sorted by ID.
public struct ActivationState: Sendable, Hashable {
  /// Services to be active.
  public var enabledServiceModuleIDs: Set<String>
  /// UI and app modules to be active; one at most today.
  public var enabledUIModuleIDs: Set<String>
  /// The module whose surface is shown.
  public var selectedUIModuleID: String?

  /// Makes a state; the default wants nothing.
  public init(
    enabledServiceModuleIDs: Set<String> = [], enabledUIModuleIDs: Set<String> = [],
    selectedUIModuleID: String? = nil
  ) {
    self.enabledServiceModuleIDs = enabledServiceModuleIDs
    self.enabledUIModuleIDs = enabledUIModuleIDs
    self.selectedUIModuleID = selectedUIModuleID
  }
}
