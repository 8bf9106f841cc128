internal import ForsettiModuleKit

/// A command that a device was sent, as Jamf's history tells of it.
struct CommandRecord: Sendable, Equatable {
  /// Nothing from the Classic API, which doesn't tell.
  var uuid: String?
  /// As `RESTART_DEVICE`.
  var type: String
  /// As Jamf writes it.
  var status: String
  var issued: String?
  var completed: String?
  /// Why it failed.
  var reason: String?

  var bucket: CommandBucket { CommandBucket(status) }
}

/// The commands of a device, newest first.
struct CommandHistory: Sendable, Equatable {
  var records: [CommandRecord]

  /// Commands that are read.
  static let limit = 100

  /// The Pro API's answer: a page of results, or a bare list.
  init(_ answer: JSONValue) {
    let rows = answer.elements ?? answer["results"]?.elements ?? []
    records = rows.prefix(Self.limit).compactMap(CommandRecord.init)
  }

  /// The Classic API's answer, which sorts commands by their outcome and names the parts by the kind of device.
  init(classic answer: JSONValue) {
    let history =
      answer.supportValue(["computer_history", "commands"])
      ?? answer.supportValue(["mobile_device_history", "management_commands"]) ?? .null
    var records: [CommandRecord] = []
    for (part, status) in [("pending", "Pending"), ("completed", "Completed"), ("failed", "Failed")] {
      for row in history[part]?.elements ?? [] where records.count < Self.limit {
        guard let name = row.supportText("name") else { continue }
        records.append(
          CommandRecord(
            type: name, status: status,
            issued: row.supportText("issued") ?? row.supportText("date_time_issued"),
            completed: row.supportText("completed") ?? row.supportText("date_time_completed")
              ?? row.supportText("failed") ?? row.supportText("date_time_failed"),
            reason: status == "Failed" ? row.supportText("status") ?? row.supportText("error") : nil))
      }
    }
    self.records = records
  }

  /// How many there are of each.
  func count(_ bucket: CommandBucket) -> Int { records.count { $0.bucket == bucket } }
}

extension CommandRecord {
  /// A row of the Pro API: its parts stand in it, or below `command`.
  init?(_ row: JSONValue) {
    let command = row["command"]
    func text(_ names: String...) -> String? {
      for name in names {
        if let text = row.supportText(name) ?? command?.supportText(name) { return text }
      }
      return nil
    }
    guard let type = text("commandType", "type", "name") ?? row.supportText("command"),
      let status = text("commandState", "status", "state")
    else { return nil }
    self.init(
      uuid: SupportText.uuid(text("uuid", "commandUuid", "id")), type: type, status: status,
      issued: text("dateSent", "dateIssued", "issued"), completed: text("dateCompleted", "completed"),
      reason: Self.reasons(row) ?? command.flatMap(Self.reasons))
    // Jamf writes 1970 where a command has not come to its end.
    if completed?.hasPrefix("1970-") ?? false { completed = nil }
  }

  /// A text, a list of texts, or a list of errors with their descriptions.
  private static func reasons(_ row: JSONValue) -> String? {
    for name in ["errorReasons", "errors", "errorReason", "statusReason"] {
      guard let value = row[name] else { continue }
      if let text = value.supportScalar { return text }
      let texts = value.elements?.prefix(8).compactMap { error in
        error.supportScalar ?? error.supportText("reason") ?? error.supportText("description")
          ?? error.supportText("localizedDescription")
      }
      if let texts, !texts.isEmpty { return texts.joined(separator: "; ").plain(limit: SupportText.limit) }
    }
    return nil
  }
}
