/// What somebody asks for: rights on a Mac for some minutes, for a reason.
struct TemporaryAdminRequest: Sendable, Equatable {
  var minutes: Int
  /// The group of this duration.
  var group: String

  /// Judges a request. Reason and ticket are needed, and kept nowhere.
  init(
    _ payload: [String: String], isManaged: Bool, device: SupportDevice, _ config: TemporaryAdminConfig
  ) throws(TemporaryAdminRefusal) {
    guard config.isEnabled, !config.offered.isEmpty else { throw .notConfigured }
    guard device.kind == .computer, isManaged, device.inventoryID != nil else { throw .notManagedMac }
    guard let minutes = payload["minutes"].flatMap({ Int($0) }), config.offered.contains(minutes),
      let group = config.groups[minutes]
    else { throw .noSuchDuration }
    guard !(payload["reason"] ?? "").isBlank else { throw .noReason }
    guard !config.requiresTicket || !(payload["ticket"] ?? "").isBlank else { throw .noTicket }
    self.minutes = minutes
    self.group = group
  }
}
