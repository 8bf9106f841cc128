extension ActivationState {
  /// The state as a tree, IDs sorted, so that one state has one text.
  public var jsonValue: JSONValue {
    .object(omittingAbsent: [
      ("enabledServiceModuleIDs", .strings(enabledServiceModuleIDs.sorted())),
      ("enabledUIModuleIDs", .strings(enabledUIModuleIDs.sorted())),
      ("selectedUIModuleID", selectedUIModuleID.map { .string($0) }),
    ])
  }

  /// Reads a state back; absent lists are empty.
  public init(jsonValue: JSONValue) throws(JSONFault) {
    let root = JSONCursor(jsonValue)
    self.init(
      enabledServiceModuleIDs: Set(try root.optional("enabledServiceModuleIDs")?.strings() ?? []),
      enabledUIModuleIDs: Set(try root.optional("enabledUIModuleIDs")?.strings() ?? []),
      selectedUIModuleID: try root.optional("selectedUIModuleID")?.string())
  }
}
