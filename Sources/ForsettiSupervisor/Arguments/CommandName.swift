/// The subcommands. With none given, `run` is meant.
enum CommandName: String, CaseIterable {
  case run, check, explain, accept, packages
  case crashTest = "crash-test"
  case version, help

  /// What it does, in the list of `help`.
  var summary: String {
    switch self {
    case .run: "boot the modules and stay until SIGTERM or SIGINT (the default)"
    case .check: "read policy and manifests and say whether they are valid and compatible; starts no process"
    case .explain:
      "show the gates of one module, its grants and everything its sandbox lets through, with reasons"
    case .accept: "accept a changed or first registration of one module, by the hash you looked at"
    case .packages: "install, list and remove modules of third parties; starts none"
    case .crashTest:
      "run hostile modules beside yours, under your policy, and say whether isolation held"
    case .version: "print the version"
    case .help: "explain a command"
    }
  }

  /// What follows the command's name, as help shows it.
  var operands: String {
    switch self {
    case .explain, .accept: " MODULE"
    case .packages: " install PATH | list | remove MODULE | statement PATH"
    case .help: " [COMMAND]"
    case .run, .check, .crashTest, .version: ""
    }
  }
}
