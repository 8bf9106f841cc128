import ForsettiSQLite

extension StateDatabase {
  /// What a person accepted for a module and no activation has used yet.
  public func acceptance(moduleID: String) throws(StoreError) -> Acceptance? {
    try database.row(
      """
      SELECT module_id, manifest_sha256, executable_sha256, origin, data, accepted_at
      FROM acceptances WHERE module_id = ?
      """, .text(moduleID)
    ) { row in
      Acceptance(
        moduleID: row.text(0), manifestSHA256: row.text(1),
        executableSHA256: row.optionalText(2), origin: row.text(3),
        data: row.optionalText(4).flatMap(Acceptance.DataDecision.init), acceptedAt: row.integer(5))
    }
  }

  /// Keeps an acceptance for the next activation, instead of an earlier one of the same module.
  public func saveAcceptance(_ acceptance: Acceptance) throws(StoreError) {
    try database.run(
      """
      INSERT OR REPLACE INTO acceptances
        (module_id, manifest_sha256, executable_sha256, origin, data, accepted_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """, .text(acceptance.moduleID), .text(acceptance.manifestSHA256),
      .optional(acceptance.executableSHA256),
      .text(acceptance.origin), .optional(acceptance.data?.rawValue), .integer(acceptance.acceptedAt))
  }
}

/// A person's word that a module may be activated as it now is (SPEC §3, "accept").
public struct Acceptance: Sendable, Hashable {
  /// What becomes of a module's data when its origin changes (SPEC §2).
  public enum DataDecision: String, Sendable, Hashable {
    case keep, erase
  }

  /// The module it is for; compared without case.
  public var moduleID: String
  /// Lower-case hexadecimal SHA-256 of the canonical manifest; another hash is not accepted by this.
  public var manifestSHA256: String
  /// The same of a bundle's executable; `nil` for a built-in.
  public var executableSHA256: String?
  /// Where the module's code came from when the person looked.
  public var origin: String
  /// `nil` where the origin did not change.
  public var data: DataDecision?
  /// Milliseconds since 1970.
  public var acceptedAt: Int64

  /// Makes an acceptance.
  public init(
    moduleID: String, manifestSHA256: String, executableSHA256: String? = nil, origin: String,
    data: DataDecision? = nil, acceptedAt: Int64
  ) {
    self.moduleID = moduleID
    self.manifestSHA256 = manifestSHA256
    self.executableSHA256 = executableSHA256
    self.origin = origin
    self.data = data
    self.acceptedAt = acceptedAt
  }
}
