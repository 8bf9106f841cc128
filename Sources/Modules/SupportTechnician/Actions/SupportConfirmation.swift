/// The word before an action that interrupts somebody or can't be undone.
enum SupportConfirmation {
  /// The word before a user becomes an administrator of one Mac.
  static func adminWord(_ device: SupportDeviceID) -> TypedConfirmation {
    TypedConfirmation(of: "administrator-mac-\(device.inventoryID)")
  }

  /// The word before an application of one Mac is changed.
  static func applicationWord(_ device: SupportDeviceID) -> TypedConfirmation {
    TypedConfirmation(of: "application-mac-\(device.inventoryID)")
  }

  /// The word before a local administrator of one Mac gets a new password.
  static func localPasswordWord(_ device: SupportDeviceID) -> TypedConfirmation {
    TypedConfirmation(of: "password-mac-\(device.inventoryID)")
  }

  /// The word for one action on one device: given for another, it counts for nothing here.
  static func word(_ action: SupportAction, on device: SupportDeviceID) -> TypedConfirmation {
    TypedConfirmation(
      of: "\(action.rawValue)-\(device.kind == .computer ? "mac" : "mobile")-\(device.inventoryID)")
  }
}
