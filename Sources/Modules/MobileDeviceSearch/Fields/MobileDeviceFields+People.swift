// Who uses a mobile device, and who bought it.
extension MobileDeviceFields {
  /// The section USER_AND_LOCATION.
  static let person: [InventoryField] = [
    found("username", "Username", "userAndLocation.username"),
    found("fullName", "Full name", "userAndLocation.realName"),
    found("emailAddress", "Email address", "userAndLocation.emailAddress"),
    found("userPhoneNumber", "Phone", "userAndLocation.phoneNumber"),
    found("position", "Position", "userAndLocation.position"),
    found("room", "Room", "userAndLocation.room"),
    found("building", "Building", "userAndLocation.building"),
    found("department", "Department", "userAndLocation.department"),
    shown("buildingId", "Building ID", "userAndLocation.buildingId"),
    shown("departmentId", "Department ID", "userAndLocation.departmentId"),
  ]

  /// The section SHARED_USERS.
  static let sharedUsers: [InventoryField] = [
    shown("sharedUsers[].managedAppleId", "Users of the shared iPad", "sharedUsers[].managedAppleId"),
    shown("sharedUsers[].loggedIn", "Users that are logged in", "sharedUsers[].loggedIn"),
    shown("sharedUsers[].dataToSync", "Users with data to sync", "sharedUsers[].dataToSync"),
  ]

  /// The section PURCHASING.
  static let purchase: [InventoryField] = [
    found("vendor", "Vendor", "purchasing.vendor"),
    found("poNumber", "Purchase order", "purchasing.poNumber"),
    found("appleCareId", "AppleCare ID", "purchasing.appleCareId"),
    found("lifeExpectancyYears", "Life expectancy (years)", "purchasing.lifeExpectancy", .integer),
    shown("warrantyExpirationDate", "Warranty ends", "purchasing.warrantyExpiresDate", .date),
    shown("purchased", "Purchased", "purchasing.purchased", .bool),
    shown("leased", "Leased", "purchasing.leased", .bool),
    shown("poDate", "Ordered", "purchasing.poDate", .date),
    found("purchasePrice", "Purchase price", "purchasing.purchasePrice"),
    found("purchasingAccount", "Purchasing account", "purchasing.purchasingAccount"),
    found("purchasingContact", "Purchasing contact", "purchasing.purchasingContact"),
    shown("leaseExpirationDate", "Lease ends", "purchasing.leaseExpiresDate", .date),
  ]
}
