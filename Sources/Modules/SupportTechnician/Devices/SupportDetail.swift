internal import ForsettiModuleKit

/// The page of one device: what Jamf knows of it, by subject.
struct SupportDetail: Sendable, Equatable {
  /// One subject.
  struct Section: Sendable, Equatable {
    var title: String
    var facts: [Fact]
  }

  struct Fact: Sendable, Equatable {
    var label: String
    var value: String
  }

  /// Something to look at first.
  struct Hint: Sendable, Equatable {
    var text: String
    var isWarning: Bool
  }

  var device: SupportDevice
  var prestage: String?
  var sections: [Section]
  var hints: [Hint]
  /// Names of applications, where the record has them.
  var applications: [String]

  /// Rows of one list of a record that are shown.
  static let rowLimit = 100
  /// An inventory that is older is worth a warning, in milliseconds: 14 days.
  static let staleAge: Int64 = 14 * 86_400_000

  /// Reads a record; nothing where it is not that of a device.
  /// - Parameter now: milliseconds since 1970.
  init?(_ kind: SupportDeviceKind, _ record: JSONValue, now: Int64) {
    guard let device = SupportDevice(kind, record) else { return nil }
    self.device = device
    prestage = PrestageReading.title(of: record)
    let layout = SupportDetailLayout(kind)
    sections = layout.sections.compactMap { title, fields in
      let facts = fields.compactMap { label, path -> Fact? in
        guard let value = record.supportValue(path)?.supportWord else { return nil }
        return Fact(label: label, value: value)
      }
      return facts.isEmpty ? nil : Section(title: title, facts: facts)
    }
    sections.add(SupportHardware.facts(kind, record), to: "Hardware")
    applications = Self.names(record.supportValue(layout.applications), ["name", "displayName", "title"])
      .sorted()
    sections += layout.lists.compactMap { title, path, keys in
      let names = Self.names(record.supportValue(path), keys)
      return names.isEmpty ? nil : Section(title: title, facts: [Fact(label: title, value: Self.line(names))])
    }
    if !applications.isEmpty {
      sections.append(
        Section(title: "Applications", facts: [Fact(label: "Applications", value: Self.line(applications))]))
    }
    let attributes = Self.attributes(record["extensionAttributes"])
    if !attributes.isEmpty { sections.append(Section(title: "Extension attributes", facts: attributes)) }
    hints = Self.hints(device, record, layout, applications: applications.count, now: now)
  }

  /// What is shared of it.
  var shared: SharedRecord {
    SharedRecord(
      title: device.name,
      fields: [
        ("Serial Number", device.serial), ("Assigned User", device.user), ("User Email", device.email),
        ("Inventory ID", device.inventoryID), ("Management ID", device.managementID), ("Model", device.model),
        ("OS", device.system), ("IP Address", fact("IP address")), ("PreStage Enrollment", prestage),
      ])
  }

  /// The value of a fact.
  func fact(_ label: String) -> String? {
    sections.lazy.flatMap(\.facts).first { $0.label == label }?.value
  }

  private static func names(_ list: JSONValue?, _ keys: [String]) -> [String] {
    (list?.elements ?? []).prefix(rowLimit).compactMap { row in
      keys.lazy.compactMap { row.supportText($0) }.first
    }
  }

  private static func line(_ names: [String]) -> String {
    names.joined(separator: ", ").plain(limit: 2_000)
  }

  private static func attributes(_ list: JSONValue?) -> [Fact] {
    (list?.elements ?? []).prefix(rowLimit).compactMap { row in
      guard let name = row.supportText("name") else { return nil }
      let values = (row["values"] ?? row["value"])?.elements?.prefix(8).compactMap(\.supportScalar) ?? []
      return values.isEmpty ? nil : Fact(label: name, value: values.joined(separator: ", "))
    }
  }

  private static func hints(
    _ device: SupportDevice, _ record: JSONValue, _ layout: SupportDetailLayout, applications: Int, now: Int64
  ) -> [Hint] {
    var hints: [Hint] = []
    if device.managementID == nil {
      hints.append(Hint(text: "No management ID: it takes no MDM commands", isWarning: true))
    }
    if device.user == nil { hints.append(Hint(text: "No user is assigned", isWarning: true)) }
    let report = record.supportValue(layout.lastReport)?.stringValue.flatMap { CivilTime(iso8601: $0) }
    if let report, now - report.milliseconds > staleAge {
      let days = (now - report.milliseconds) / 86_400_000
      hints.append(Hint(text: "Inventory is \(days) days old", isWarning: true))
    }
    if let isSafe = record.supportValue(layout.guarded.path)?.boolValue {
      hints.append(Hint(text: isSafe ? layout.guarded.yes : layout.guarded.no, isWarning: !isSafe))
    }
    if applications > 0 { hints.append(Hint(text: "\(applications) applications", isWarning: false)) }
    return hints
  }
}

extension [SupportDetail.Section] {
  /// Adds facts to a subject that has some; what the record says itself stays.
  fileprivate mutating func add(_ facts: [SupportDetail.Fact], to title: String) {
    guard let place = firstIndex(where: { $0.title == title }) else { return }
    let known = Set(self[place].facts.map(\.label))
    self[place].facts += facts.filter { !known.contains($0.label) }
  }
}

extension JSONValue {
  /// A scalar as a word: flags are yes and no.
  fileprivate var supportWord: String? { boolValue.map { $0 ? "yes" : "no" } ?? supportScalar }
}
