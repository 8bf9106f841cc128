/// Desired state: what a person wants active (seed "Module State Model"). Sets are kept sorted by ID.
public struct ActivationState: Sendable, Hashable {
  public var enabledServiceModuleIDs: Set<String>
  public var enabledUIModuleIDs: Set<String>
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
