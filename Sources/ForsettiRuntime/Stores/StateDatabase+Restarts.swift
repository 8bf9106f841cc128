public import ForsettiCore
import ForsettiSQLite

extension StateDatabase {
  /// When a module ended unasked, as far as that still counts, and whether it is quarantined.
  public func restartHistory(moduleID: String) throws(StoreError) -> RestartHistory {
    RestartHistory(
      ends: try database.rows("SELECT ended_at FROM restarts WHERE module_id = ?", .text(moduleID)) {
        $0.integer(0)
      },
      quarantine: try quarantine(of: moduleID))
  }

  /// IDs of the modules in quarantine, sorted.
  public func quarantinedModuleIDs() throws(StoreError) -> [String] {
    try database.rows("SELECT module_id FROM quarantines ORDER BY module_id") { $0.text(0) }
  }

  /// Replaces a module's history.
  public func saveRestartHistory(_ history: RestartHistory, moduleID: String) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      try database.run("DELETE FROM restarts WHERE module_id = ?", .text(moduleID))
      for end in history.ends {
        try database.run(
          "INSERT INTO restarts (module_id, ended_at) VALUES (?, ?)", .text(moduleID), .integer(end))
      }
      try database.run("DELETE FROM quarantines WHERE module_id = ?", .text(moduleID))
      if let quarantine = history.quarantine { try save(quarantine, moduleID: moduleID) }
    }
  }

  private func save(_ quarantine: Quarantine, moduleID: String) throws(StoreError) {
    let numbers = quarantine.cause.numbers
    try database.run(
      "INSERT INTO quarantines (module_id, cause, ends, within, since) VALUES (?, ?, ?, ?, ?)",
      .text(moduleID), .text(quarantine.cause.name), .integer(Int64(clamping: numbers.ends)),
      .integer(Int64(clamping: numbers.within)), .integer(quarantine.since))
  }

  private func quarantine(of moduleID: String) throws(StoreError) -> Quarantine? {
    let kept = try database.row(
      "SELECT cause, ends, within, since FROM quarantines WHERE module_id = ?", .text(moduleID)
    ) { (name: $0.text(0), ends: $0.integer(1), within: $0.integer(2), since: $0.integer(3)) }
    guard let kept else { return nil }
    let cause = QuarantineCause(
      name: kept.name, ends: Int(clamping: kept.ends), within: Int(clamping: kept.within))
    guard let cause else {
      throw .damaged(
        path: database.path, reason: "it knows no cause of a quarantine called \(kept.name.quoted())")
    }
    return Quarantine(cause: cause, since: kept.since)
  }
}

/// How a cause is kept: its name, and for one of them two numbers, which are 0 for the others.
extension QuarantineCause {
  fileprivate var name: String {
    switch self {
    case .violation: "violation"
    case .protocolError: "protocol_error"
    case .sandboxFailed: "sandbox_failed"
    case .tooManyRestarts: "too_many_restarts"
    }
  }

  fileprivate var numbers: (ends: Int, within: Int) {
    if case .tooManyRestarts(let count, let within) = self { (count, within) } else { (0, 0) }
  }

  fileprivate init?(name: String, ends: Int, within: Int) {
    let all: [QuarantineCause] = [
      .violation, .protocolError, .sandboxFailed, .tooManyRestarts(count: ends, withinMilliseconds: within),
    ]
    guard let cause = all.first(where: { $0.name == name }) else { return nil }
    self = cause
  }
}
