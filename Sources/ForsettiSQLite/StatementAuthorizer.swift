import CSQLite

/// The rules for statements, as an object: SQLite keeps its address.
final class StatementAuthorizer {
  private let allows: (Int32, String?, String?) -> Bool

  init(_ allows: @escaping (Int32, String?, String?) -> Bool) {
    self.allows = allows
  }

  /// The connection must let go of the rules before this object ends.
  func guardStatements(of handle: OpaquePointer) {
    sqlite3_set_authorizer(
      handle,
      { rules, action, first, second, _, _ in
        guard let rules else { return SQLITE_DENY }
        let isAllowed = Unmanaged<StatementAuthorizer>.fromOpaque(rules).takeUnretainedValue().allows(
          action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
        return isAllowed ? SQLITE_OK : SQLITE_DENY
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
