public import ForsettiCore
import ForsettiSQLite

extension StateDatabase {
  /// Bounds on a record's text: a manifest's, one level deeper, and the fields around it.
  private static let recordLimits = JSONLimits(bytes: 1 << 20, depth: 40)

  /// The record of a module; `nil` if it was never registered.
  public func record(moduleID: String) throws(StoreError) -> ModuleRegistrationRecord? {
    let text = try database.row("SELECT record FROM registrations WHERE module_id = ?", .text(moduleID)) {
      $0.text(0)
    }
    guard let text else { return nil }
    do {
      let document = try JSONParser.parse(Array(text.utf8), limits: Self.recordLimits)
      return try ModuleRegistrationRecord(jsonValue: document.root)
    } catch {
      let reason = "registration of \(moduleID): \(error.pointer) \(error.reason)"
      throw .damaged(path: database.path, reason: reason)
    }
  }

  /// Saves desired state, records and the first boot's end in one transaction.
  public func commit(_ change: StateChange) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      if let activation = change.activation { try write(activation) }
      for record in change.records {
        try database.run(
          "INSERT OR REPLACE INTO registrations (module_id, record) VALUES (?, ?)", .text(record.moduleID),
          .text(JSONWriter.text(record.jsonValue)))
        try database.run("DELETE FROM acceptances WHERE module_id = ?", .text(record.moduleID))
      }
      if change.completesFirstBoot { try database.run("UPDATE activation SET first_boot_done = 1") }
    }
  }
}
