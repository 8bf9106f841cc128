import ForsettiCore

// What each command makes of its options and operands.
extension ArgumentParser {
  /// What the command makes of its options and operands.
  func invocation() throws(CommandFailure) -> Invocation {
    if values[.help] != nil { return .help(namedCommand) }
    switch command {
    case .run:
      try expectOperands([])
      return .run(try runOptions())
    case .check:
      try expectOperands([])
      return .check(try checkOptions())
    case .explain: return try explanation()
    case .oci: return .oci(try ociCommand())
    case .accept: return .accept(try acceptOptions())
    case .packages: return .packages(try packagesOptions())
    case .crashes: return .crashes(try crashesOptions())
    case .audit: return .audit(try auditLogOptions())
    case .crashTest:
      try expectOperands([])
      return .crashTest(try crashTestOptions())
    case .top:
      try expectOperands([])
      return .top(TopCommand(place: place, json: has(.json)))
    case .secret: return .secret(try secretCommand())
    case .console: return .console(try consoleCommand())
    case .status, .modules, .surface, .activate, .deactivate, .restart, .reset, .selectUI, .logs, .metrics,
      .reload, .events, .entitlements, .call, .publish, .render, .shutdown:
      return .control(try controlCommand())
    case .version:
      try expectOperands([])
      return .version(json: has(.json))
    case .help: return .help(try helpTopic())
    }
  }

  private func explanation() throws(CommandFailure) -> Invocation {
    try expectOperands(["MODULE"])
    if has(.running) { return .control(try runningExplanation()) }
    return .explain(
      moduleID: operands[0], try inputs(), state: values[.state], try choice(.format) ?? .text)
  }

  private func ociCommand() throws(CommandFailure) -> OCICommand {
    guard operands.first == "import" else {
      throw Self.noSubcommand(operands.first, among: ["import"], of: .oci)
    }
    try expectOperands(["import", "PROFILE"])
    return OCICommand(path: operands[1], json: has(.json))
  }

  private func acceptOptions() throws(CommandFailure) -> AcceptOptions {
    try expectOperands(["MODULE"])
    return AcceptOptions(
      moduleID: operands[0], inputs: try inputs(), state: values[.state], sha256: try hash(),
      data: try choice(.data), json: has(.json))
  }

  private func auditLogOptions() throws(CommandFailure) -> AuditLogOptions {
    guard operands.first == "verify" else {
      throw Self.noSubcommand(operands.first, among: ["verify"], of: .audit)
    }
    try expectOperands(["verify"])
    return AuditLogOptions(state: values[.state], json: has(.json))
  }

  private func helpTopic() throws(CommandFailure) -> CommandName? {
    guard let topic = operands.first else { return nil }
    guard operands.count == 1 else {
      throw Self.failure("help explains one command at a time", about: .help)
    }
    guard let command = CommandName(rawValue: topic) else { throw Self.unknownCommand(topic) }
    return command
  }

  private func packagesOptions() throws(CommandFailure) -> PackagesOptions {
    let action: PackagesOptions.Action
    switch operands.first {
    case "install":
      try expectOperands(["install", "PATH"])
      action = .install(path: operands[1])
    case "remove":
      try expectOperands(["remove", "MODULE"])
      action = .remove(moduleID: operands[1])
    case "statement":
      try expectOperands(["statement", "PATH"])
      action = .statement(path: operands[1])
    case "list":
      try expectOperands(["list"])
      action = .list
    case let word:
      throw Self.noSubcommand(word, among: ["install", "list", "remove", "statement"], of: .packages)
    }
    return PackagesOptions(
      action: action, inputs: try inputs(), state: values[.state], isConfirmed: has(.yes),
      replaces: has(.replace), erasesData: has(.eraseData), json: has(.json))
  }

  private func crashesOptions() throws(CommandFailure) -> CrashesOptions {
    let action: CrashesOptions.Action
    switch operands.first {
    case "list":
      try expectOperands(["list"])
      action = .list
    case "show":
      try expectOperands(["show", "ID"])
      action = .show(operands[1])
    case let word:
      throw Self.noSubcommand(word, among: ["list", "show"], of: .crashes)
    }
    return CrashesOptions(
      action: action, state: values[.state], runtimeDirectory: values[.runtimeDirectory], json: has(.json))
  }

  private func inputs() throws(CommandFailure) -> Inputs {
    guard !has(.manifests) || !has(.discover) else {
      throw Self.failure("--manifests and --discover exclude each other", about: namedCommand)
    }
    return Inputs(policy: values[.policy], manifests: values[.manifests], discover: values[.discover])
  }

  private func checkOptions() throws(CommandFailure) -> CheckOptions {
    guard !has(.json) || !has(.sarif) else {
      throw Self.failure("--json and --sarif exclude each other", about: .check)
    }
    return CheckOptions(
      inputs: try inputs(), state: values[.state],
      lints: has(.lint) || has(.sarif) || has(.threshold), threshold: try score(.threshold),
      format: has(.json) ? .json : has(.sarif) ? .sarif : .text)
  }

  /// An exposure, to a tenth.
  private func score(_ option: Option) throws(CommandFailure) -> Double? {
    guard let text = values[option] else { return nil }
    guard let score = Double(text), (0...10).contains(score) else {
      throw Self.failure(
        "--\(option.rawValue) is a number from 0 to 10, not \(text.quoted())", about: namedCommand)
    }
    return score
  }

  private func runOptions() throws(CommandFailure) -> RunOptions {
    guard !has(.json) || has(.once) || has(.audit) else {
      throw Self.failure(
        "--json prints the report of run --once or --audit; a run that stays logs with --log-format json",
        about: .run)
    }
    return RunOptions(
      inputs: try inputs(), state: values[.state], runtimeDirectory: values[.runtimeDirectory],
      once: has(.once), noRestore: has(.noRestore), audit: values[.audit], json: has(.json),
      quiet: has(.quiet),
      logFormat: try choice(.logFormat) ?? .text, logLevel: try choice(.logLevel),
      spin: try choice(.spin) ?? .adaptive)
  }

  private func crashTestOptions() throws(CommandFailure) -> CrashTestOptions {
    guard !has(.seed) || has(.seconds) else {
      throw Self.failure("--seed is of a storm; give it --seconds N too", about: .crashTest)
    }
    let names = values[.cases]?.split(separator: ",").map(String.init) ?? []
    let seed = try number(.seed, in: 0...UInt64.max) ?? 1
    return CrashTestOptions(
      inputs: try inputs(), state: values[.state], cases: names,
      storm: try number(.seconds, in: 1...86_400).map { StormPlan(seconds: Int($0), seed: seed) },
      syscalls: has(.syscalls),
      json: has(.json), junit: values[.junit])
  }

  private func number(
    _ option: Option, in range: ClosedRange<UInt64>
  ) throws(CommandFailure) -> UInt64? {
    guard let text = values[option] else { return nil }
    guard let number = UInt64(text), range.contains(number) else {
      throw Self.failure(
        "--\(option.rawValue) is a whole number from \(range.lowerBound) to \(range.upperBound), not \(text.quoted())",
        about: namedCommand)
    }
    return number
  }

  private func hash() throws(CommandFailure) -> String? {
    guard let text = values[.sha256] else { return nil }
    let digits = text.lowercased()
    guard digits.utf8.count == 64,
      digits.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else {
      throw Self.failure("--sha256 is 64 hexadecimal digits, not \(text.quoted())", about: .accept)
    }
    return digits
  }
}
