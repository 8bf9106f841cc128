// Who uses a computer.
extension ComputerFields {
  /// The section USER_AND_LOCATION.
  static let person: [InventoryField] = [
    found("userAndLocation.username", "Username"),
    found("userAndLocation.realname", "Full name"),
    found("userAndLocation.email", "Email address"),
    found("userAndLocation.phone", "Phone"),
    found("userAndLocation.position", "Position"),
    found("userAndLocation.room", "Room"),
    found("userAndLocation.buildingId", "Building ID"),
    found("userAndLocation.departmentId", "Department ID"),
  ]

  /// The section LOCAL_USER_ACCOUNTS.
  static let accounts: [InventoryField] = [
    shown("localUserAccounts[].uid", "Local account numbers"),
    shown("localUserAccounts[].username", "Local accounts"),
    shown("localUserAccounts[].fullName", "Local full names"),
    shown("localUserAccounts[].admin", "Local administrators"),
    shown("localUserAccounts[].homeDirectory", "Home folders"),
    shown("localUserAccounts[].homeDirectorySizeMb", "Home folder sizes (MB)"),
    shown("localUserAccounts[].fileVault2Enabled", "FileVault of local accounts"),
    shown("localUserAccounts[].userAccountType", "Kinds of local accounts"),
    shown("localUserAccounts[].passwordMinLength", "Shortest local passwords"),
    shown("localUserAccounts[].passwordMaxAge", "Oldest local passwords (days)"),
    shown("localUserAccounts[].passwordMinComplexCharacters", "Complex characters of local passwords"),
    shown("localUserAccounts[].passwordHistoryDepth", "Local password histories"),
    shown("localUserAccounts[].passwordRequireAlphanumeric", "Local passwords with letters and digits"),
    shown("localUserAccounts[].computerAzureActiveDirectoryId", "Entra IDs of the computer"),
    shown("localUserAccounts[].userAzureActiveDirectoryId", "Entra IDs of users"),
    shown("localUserAccounts[].azureActiveDirectoryId", "Entra ID status"),
  ]
}
