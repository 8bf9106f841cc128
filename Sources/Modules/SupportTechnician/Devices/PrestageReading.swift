internal import ForsettiModuleKit

/// Which PreStage a device came through, where its record says so: Jamf writes it in five ways.
enum PrestageReading {
  /// What to show, as `Enrolled - Standard Mac (ID: 12)`; nothing where the device came another way, or nobody knows.
  static func title(of record: JSONValue) -> String? {
    let general = record["general"] ?? record
    if let nested = general["enrollmentMethodPrestage"], nested.members != nil {
      return PrestageText.make(
        status: "Enrolled", name: name(nested),
        id: nested.supportText("mobileDevicePrestageId") ?? nested.supportText("prestageId")
          ?? nested.supportText("id"))
    }
    if let method = general["enrollmentMethod"] {
      if let text = method.stringValue { return fromText(text) }
      guard method.members != nil else { return nil }
      return isPrestage(method.supportText("objectType")) ? method.supportText("objectName") : nil
    }
    let (name, id) = (
      general.supportText("prestageName") ?? general.supportText("prestageProfileName"),
      general.supportText("prestageId")
    )
    return PrestageText.make(status: nil, name: name, id: id)
  }

  private static func name(_ prestage: JSONValue) -> String? {
    prestage.supportText("profileName") ?? prestage.supportText("displayName") ?? prestage.supportText("name")
  }

  private static func isPrestage(_ type: String?) -> Bool {
    type?.lowercased().hasPrefix("prestage") ?? false
  }

  /// `PreStage enrollment: NAME (11)`; the name may itself begin with "PreStage -".
  private static func fromText(_ text: String) -> String? {
    let prefix = "prestage enrollment:"
    guard text.lowercased().hasPrefix(prefix) else { return nil }
    var name = String(text.dropFirst(prefix.count)).trimmedScalars
    if name.hasSuffix(")"), let open = name.lastIndex(of: "(") {
      let number = name[name.index(after: open)...].dropLast()
      if !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        name = String(name[..<open]).trimmedScalars
      }
    }
    return name.isEmpty ? nil : name.plain(limit: SupportText.limit)
  }
}
