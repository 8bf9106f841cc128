/// All that the view shows.
struct PermissionsState: Sendable {
  /// What is known of the account.
  enum Check: Sendable, Equatable {
    case never
    case underWay
    case done(TokenPrivileges, catalogueNote: String?)
    case failed(what: String, advice: String)
  }

  /// What is listed.
  enum Listing: String, Sendable, CaseIterable { case actions, privileges, calls }

  var check = Check.never
  var listing = Listing.actions
  var filter = PermissionFilter()
  /// The ID of the action that is looked at.
  var selected: String?
  /// What came of the last export.
  var note: String?

  /// The privileges of the account; nothing while they are unknown.
  var held: Set<String>? {
    if case .done(let privileges, _) = check { privileges.held } else { nil }
  }
}
