/// The subcommands. With none given, `run` is meant.
enum CommandName: String, CaseIterable {
  case run, check, explain, oci, accept, packages, crashes, audit
  case crashTest = "crash-test"
  case top, status, modules, surface, activate, deactivate, restart, reset
  case selectUI = "select-ui"
  case events, entitlements, call, publish, render
  case secret
  case console
  case logs, metrics, reload, shutdown
  case version, help

  /// Commands that a running supervisor carries out.
  static let controls: Set<CommandName> = [
    .status, .modules, .surface, .activate, .deactivate, .restart, .reset, .selectUI, .logs, .metrics,
    .reload, .events, .entitlements, .call, .publish, .render, .shutdown,
  ]

  /// What it does, in the list of `help`.
  var summary: String {
    switch self {
    case .run: "boot the modules and stay until SIGTERM or SIGINT; SIGHUP reloads (the default)"
    case .check: "read policy and manifests and say whether they are valid and compatible; starts no process"
    case .explain:
      "show the gates of one module, its grants and everything its sandbox lets through, with reasons"
    case .oci: "say which rule of a policy expresses a seccomp profile of container tools, and what is lost"
    case .accept: "accept a changed or first registration of one module, by the hash you looked at"
    case .packages: "install, list and remove modules of third parties; starts none"
    case .crashes: "show the reports on modules that ended unasked, whether the supervisor runs or not"
    case .audit: "verify the log of decisions: whether a line was changed, taken out or put in"
    case .crashTest:
      "run hostile modules beside yours, under your policy, and say whether isolation held"
    case .top: "watch what modules do and use, on a terminal"
    case .status: "show the supervisor that runs, and its modules"
    case .modules: "show all modules that the running supervisor knows, or one in full"
    case .surface: "show what the UI module has put on the surface"
    case .activate: "start a module; it is desired from now on"
    case .deactivate: "stop a module; it is not desired any more"
    case .restart: "stop a module and start it again"
    case .reset: "forget a module's crashes and end its quarantine"
    case .selectUI: "show another UI module that is active, or none"
    case .logs: "show the log's last records, of all modules or one"
    case .metrics: "print what is counted and measured, as OpenMetrics text"
    case .reload: "read policy, manifests and bundles anew, and show what becomes different"
    case .events: "show each event as modules publish it: type and publisher, not what is in it"
    case .entitlements: "show who says what is unlocked, and which modules are"
    case .call: "call the module that provides a role, as operator:UID"
    case .publish: "publish an event in a module's name, as its buttons and forms do"
    case .render: "have a module draw one of its views"
    case .secret: "list what modules must be told in secret, such as credentials, or tell one of it"
    case .console: "show the running supervisor in a browser, or print the way into its own console"
    case .shutdown: "end the running supervisor in good order, and wait for its end"
    case .version: "print the version"
    case .help: "explain a command"
    }
  }

  /// What follows the command's name, as help shows it.
  var operands: String {
    switch self {
    case .explain, .accept: " MODULE"
    case .oci: " import PROFILE"
    case .packages: " install PATH | list | remove MODULE | statement PATH"
    case .crashes: " list | show ID"
    case .secret: " list | set SECRET"
    case .audit: " verify"
    case .help: " [COMMAND]"
    case .activate, .deactivate, .restart, .reset: " MODULE"
    case .modules, .logs: " [MODULE]"
    case .selectUI: " MODULE|none"
    case .events: " [TYPE]"
    case .call: " ROLE METHOD [JSON]"
    case .publish: " MODULE TYPE [NAME=VALUE…]"
    case .render: " VIEW [NAME=VALUE…]"
    case .run, .check, .crashTest, .top, .status, .surface, .console, .metrics, .entitlements, .reload,
      .shutdown,
      .version:
      ""
    }
  }
}
