public import ForsettiCore

extension StateDatabase {
  /// When a module ended unasked, as far as that still counts, and whether it is quarantined.
  public func restartHistory(moduleID: String) throws(StoreError) -> RestartHistory {
    RestartHistory(
      ends: try database.rows("SELECT ended_at FROM restarts WHERE module_id = ?", .text(moduleID)) {
        row throws(StoreError) in try row.integer(0)
      },
      quarantine: try database.row(
        "SELECT cause, ends, within, since FROM quarantines WHERE module_id = ?", .text(moduleID),
        make: quarantine))
  }

  /// IDs of the modules in quarantine, sorted.
  public func quarantinedModuleIDs() throws(StoreError) -> [String] {
    try database.rows("SELECT module_id FROM quarantines ORDER BY module_id") { row throws(StoreError) in
      try row.text(0)
    }
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

  private func quarantine(_ row: SQLRow) throws(StoreError) -> Quarantine {
    let name = try row.text(0)
    let cause = QuarantineCause(
      name: name, ends: Int(clamping: try row.integer(1)), within: Int(clamping: try row.integer(2)))
    guard let cause else {
      throw .damaged(path: database.path, reason: "it knows no cause of a quarantine called \(name.quoted())")
    }
    return Quarantine(cause: cause, since: try row.integer(3))
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
