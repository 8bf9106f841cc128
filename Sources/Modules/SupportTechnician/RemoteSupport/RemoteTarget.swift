internal import ForsettiModuleKit

/// Where a viewer finds a Mac.
struct RemoteTarget: Sendable, Equatable {
  enum Confidence: String, Sendable { case high, medium, low }

  var host: String
  var confidence: Confidence
  /// What it was taken from.
  var source: String

  /// For a viewer of VNC. A host has nothing that would have to be escaped.
  var url: String { host.contains(":") ? "vnc://[\(host)]" : "vnc://\(host)" }

  /// What may name a Mac. Its serial number never does.
  struct Hints: Sendable, Equatable {
    var override: String?
    var reportedIPv4: String?
    var address: String?
    var reportedAddress: String?
    var displayName: String?
    var serial: String
  }

  /// The best that is known; nothing where nothing can be one.
  init?(_ hints: Hints) {
    if let override = hints.override, Self.isHost(override), !Self.isSame(override, hints.serial) {
      self.init(host: override, confidence: .high, source: "entered here")
      return
    }
    let known: [(String?, Confidence, String)] = [
      (hints.reportedIPv4, .medium, "reported IPv4 address"),
      (hints.address, .medium, "current address"), (hints.reportedAddress, .medium, "reported address"),
    ]
    for (text, confidence, source) in known {
      if let text, Self.isHost(text), !Self.isSame(text, hints.serial) {
        self.init(host: text, confidence: confidence, source: source)
        return
      }
    }
    guard let name = hints.displayName, !Self.isSame(name, hints.serial) else { return nil }
    if Self.isHost(name), name.contains(".") || IPAddress(name) != nil {
      self.init(host: name, confidence: .medium, source: "name")
    } else if Self.isLabel(name) {
      self.init(host: name + ".local", confidence: .low, source: "name, on the local network")
    } else {
      return nil
    }
  }

  private init(host: String, confidence: Confidence, source: String) {
    self.host = host
    self.confidence = confidence
    self.source = source
  }

  /// What a record says of a Mac.
  /// - Parameter override: what somebody entered.
  static func hints(_ record: SupportDetail, override: String?) -> Hints {
    Hints(
      override: override, reportedIPv4: record.fact("Reported IPv4"),
      address: record.fact("Seen from"), reportedAddress: record.fact("IP address"),
      displayName: record.device.name, serial: record.device.serial)
  }

  /// Whether a text is an address, or a name of the DNS (RFC 1123, §2.1).
  static func isHost(_ text: String) -> Bool {
    if IPAddress(text) != nil { return true }
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253 && labels.allSatisfy { isLabel(String($0)) }
  }

  private static func isLabel(_ text: String) -> Bool {
    (1...63).contains(text.utf8.count) && SupportText.uuid(text) != nil && !text.hasPrefix("-")
      && !text.hasSuffix("-")
  }

  private static func isSame(_ text: String, _ serial: String) -> Bool {
    text.lowercased() == serial.lowercased()
  }
}
