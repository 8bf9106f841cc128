/// The text of `help` and `--help`.
enum HelpText {
  /// Help on one command, or the overview.
  static func of(_ command: CommandName?) -> String {
    guard let command else { return overview }
    let options = Option.allCases.filter { $0.commands.contains(command) }
    let rows = options.map { option in
      ("--" + option.rawValue + (option.placeholder.map { " " + $0 } ?? ""), option.summary)
    }
    var text = "forsetti-supervisor \(command.rawValue)\(command.operands) [options]\n\n"
    text += "  \(command.summary)\n\nOptions:\n\(table(rows))"
    if let more = details(command) { text += "\n" + more }
    return text
  }

  private static var overview: String {
    let commands = CommandName.allCases.map { ($0.rawValue + $0.operands, $0.summary) }
    return """
      forsetti-supervisor [command] [options]

        Runs modules, each in a process of its own that is locked before any of its code runs.

      Commands:
      \(table(commands))
      `forsetti-supervisor COMMAND --help` lists the options of one.

      """
  }

  /// What help tells of a command below its options, if anything.
  static func details(_ command: CommandName) -> String? {
    switch command {
    case .run:
      """
      In a checkout the policy is policy/strict.json and the manifests are Resources/ForsettiManifests; installed, they
      are /etc/forsetti/policy.json and PREFIX/share/forsetti/manifests. State is in /var/lib/forsetti for root and in
      $XDG_STATE_HOME/forsetti or ~/.local/state/forsetti for others. SIGHUP reloads, as reload does; where it tells of a
      terminal that was closed, it ends the supervisor in good order.

      --audit weakens MODULE's sandbox and needs "audit": "allowed" in the policy; at the module's end it prints a patch for
      the policy. It is for code that you do not call hostile.

      """
    case .check:
      """
      Exit 0 only if all is valid and compatible; warnings keep 0. Invalid or incompatible: 65, policy: 78. With --lint also
      65 where a risky line of the policy has no "reason", or a module is above --threshold. --sarif and --threshold lint
      too. forsetti-supervisor(1) lists the rules.

      """
    case .explain:
      """
      --format bpf writes the filter's instructions as the kernel takes them (struct sock_filter, 8 bytes each). --format oci
      writes a seccomp profile for container tools, and on standard error what such a profile cannot say.

      """
    case .oci:
      """
      PROFILE is such as containers get, of Docker, Podman or explain --format oci, or a container's configuration that has
      one. It is read as it holds on this machine for a process without capabilities; nothing is changed. A grant is proposed
      where the profile lets through all that it adds. A profile that is none: 65.

      """
    case .accept:
      "Without --sha256 it prints what changed and the hash to accept, and changes nothing.\n"
    case .crashTest:
      """
      Your modules run for real, in a state of their own that is removed afterwards; what they may reach by your policy
      they reach. Exit 0 only if every case was contained, nobody beside lost anything, and nothing was left behind; 70 if
      not; 69 where the hostile modules are not installed.

      """
    case .packages:
      """
      install shows what a bundle asks for beside what the policy grants, then asks. statement prints what whoever signs the
      bundle signs with minisign: `packages statement DIR > s && minisign -S -m s -x DIR/module.minisig`.

      """
    case .crashes:
      """
      ID is a report's, or as much of its beginning as only one has; `latest` is the newest. What a report says is in
      forsetti-crash-report(5). With --runtime-dir, or where you may not read the state, the supervisor that runs is asked.

      """
    case .audit:
      "Exit 0 only if every line follows the one before it; 65 at the first that does not. See forsetti-audit-log(5).\n"
    case .logs:
      "-f is --follow, -n N is --lines N. What a module wrote itself follows a `> `.\n"
    case .status:
      "--ready exits with 0 when it is ready, else 75 (69 where no supervisor runs): a health check.\n"
    case .publish:
      "The module's own rights decide whether it may publish TYPE. NAME=VALUE are the payload: a form's fields by ID.\n"
    case .modules, .activate, .deactivate, .restart, .reset, .selectUI:
      "MODULE is an ID, or as much of its end or its beginning as only one module has: `scanner`.\n"
    case .metrics:
      "Each family says in its HELP line what it is. The text is for programs already: there is no --json.\n"
    case .reload:
      """
      Modules that nothing changes for go on untouched; a changed one gets a new process before its old one ends. If
      anything is wrong, nothing is changed. kill -HUP does the same and tells the log.

      """
    case .top:
      "Once a second; q, Ctrl-C or a signal ends it. --json prints a line a second and needs no terminal.\n"
    case .events:
      "TYPE is an exact type or \"prefix.*\" (default: all). It goes on until it is interrupted, as with -f.\n"
    case .call:
      """
      For example: call api request '{"path": "/v1/devices", "query": {"limit": "5"}}'. Only modules that provide a role are
      reached: a module's own storage, secrets and keys are not.

      """
    case .secret:
      """
      set asks on the terminal for the fields that the policy names, and does not show what is secret; the module verifies it
      and keeps it. --stdin takes an object of JSON with the fields' values instead: for programs, and for keys of many lines.
      Exit 65 where the module refuses it, 69 where the module is not active. The fields are in the policy, forsetti-policy(5).

      """
    case .console:
      """
      It has your rights over the control socket and lasts until Ctrl-C. Where the policy has "console", the supervisor keeps
      one itself: --url prints the way into that. See forsetti-policy(5).

      """
    case .render:
      "NAME=VALUE are the view's parameters. surface lists the views.\n"
    case .surface, .entitlements, .shutdown, .version, .help: nil
    }
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map { $0.0.count }.max() ?? 0
    return rows.map { left, right in
      "  " + left + String(repeating: " ", count: width - left.count + 2) + right + "\n"
    }.joined()
  }
}
