internal import ForsettiModuleKit

/// The two kinds of device that a technician looks after.
enum SupportDeviceKind: String, Sendable, CaseIterable, Comparable {
  case computer
  case mobileDevice = "mobile_device"

  /// For people.
  var title: String {
    switch self {
    case .computer: "Mac"
    case .mobileDevice: "Mobile device"
    }
  }

  static func < (left: Self, right: Self) -> Bool { left == .computer && right == .mobileDevice }
}

/// Which device: what every order carries, so that it can't reach another one.
struct SupportDeviceID: Sendable, Hashable {
  var kind: SupportDeviceKind
  /// Digits only.
  var inventoryID: String

  /// As it stands in payloads of events and keys of storage: `computer/12`.
  var text: String { "\(kind.rawValue)/\(inventoryID)" }

  init(_ kind: SupportDeviceKind, _ inventoryID: String) {
    self.kind = kind
    self.inventoryID = inventoryID
  }

  /// Reads `text`.
  init?(text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = SupportDeviceKind(rawValue: String(parts[0])),
      let id = SupportText.inventoryID(String(parts[1]))
    else { return nil }
    self.init(kind, id)
  }
}

/// A device as a search finds it.
struct SupportDevice: Sendable, Hashable {
  var kind: SupportDeviceKind
  /// Nothing where Jamf gave none that can be one.
  var inventoryID: String?
  var name: String
  var serial: String
  var user: String?
  var email: String?
  var model: String?
  /// Version of its operating system.
  var system: String?
  /// What MDM commands are addressed to.
  var managementID: String?

  /// Which one it is.
  var id: SupportDeviceID? { inventoryID.map { SupportDeviceID(kind, $0) } }

  /// A row of a list of computers or mobile devices, or a whole record; nothing without an ID and a serial number.
  init?(_ kind: SupportDeviceKind, _ row: JSONValue) {
    let texts = kind == .computer ? Self.computer(row) : Self.mobileDevice(row)
    guard let id = SupportText.inventoryID(texts.id), let serial = texts.serial else { return nil }
    self.kind = kind
    inventoryID = id
    self.serial = serial
    name = texts.name ?? serial
    user = texts.user
    email = texts.email
    model = texts.model
    system = texts.system
    managementID = SupportText.uuid(texts.management)
  }

  init(
    _ kind: SupportDeviceKind, inventoryID: String?, name: String, serial: String, managementID: String?
  ) {
    self.kind = kind
    self.inventoryID = inventoryID
    self.name = name
    self.serial = serial
    self.managementID = managementID
  }

  private struct Texts {
    var id, name, serial, user, email, model, system, management: String?
  }

  private static func computer(_ row: JSONValue) -> Texts {
    Texts(
      id: row.supportText("id"), name: row.supportText("general", "name"),
      serial: row.supportText("hardware", "serialNumber"),
      user: row.supportText("userAndLocation", "username"),
      email: row.supportText("userAndLocation", "email"), model: row.supportText("hardware", "model"),
      system: row.supportText("operatingSystem", "version"),
      management: row.supportText("general", "managementId")
        ?? row.supportText("general", "clientManagementId"))
  }

  /// In the list by sections; as one record flat, with what only iOS has below `ios`.
  private static func mobileDevice(_ row: JSONValue) -> Texts {
    Texts(
      id: row.supportText("mobileDeviceId") ?? row.supportText("id"),
      name: row.supportText("general", "displayName") ?? row.supportText("name"),
      serial: row.supportText("hardware", "serialNumber") ?? row.supportText("serialNumber"),
      user: row.supportText("userAndLocation", "username") ?? row.supportText("location", "username"),
      email: row.supportText("userAndLocation", "emailAddress")
        ?? row.supportText("location", "emailAddress"),
      model: row.supportText("hardware", "model") ?? row.supportText("ios", "model"),
      system: row.supportText("general", "osVersion") ?? row.supportText("osVersion"),
      management: row.supportText("general", "managementId") ?? row.supportText("managementId")
        ?? row.supportText("clientManagementId"))
  }
}
