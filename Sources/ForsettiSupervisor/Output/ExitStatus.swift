/// How the program ends, by sysexits.h. The README's table says what each means here.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  /// The command line is wrong.
  case usage = 64
  /// A manifest is invalid or incompatible, or state was written by a newer version.
  case dataError = 65
  /// A policy or manifests folder is absent, empty or unreadable.
  case noInput = 66
  /// A module could not be activated, or the module host not be started.
  case unavailable = 69
  /// A fault of this program.
  case software = 70
  /// The kernel refused something the sandbox needs.
  case osError = 71
  /// The state or runtime folder cannot be made.
  case cannotCreate = 73
  /// State could not be read or written.
  case ioError = 74
  /// Another supervisor runs on this state.
  case temporaryFailure = 75
  /// A file or folder could be changed by somebody else, or must not be touched by this user.
  case noPermission = 77
  /// The policy is wrong.
  case configuration = 78
}

/// Why a command ends without having done its work: the exit status and one error for people.
struct CommandFailure: Error, Equatable, Sendable {
  var status: ExitStatus
  /// One line: what, where, and the way out.
  var message: String
  /// Further findings of the same kind, one line each.
  var details: [String] = []

  /// What goes to standard error.
  var text: String {
    "forsetti-supervisor: \(escaped(message))\n" + details.map { "  \(escaped($0))\n" }.joined()
  }
}
