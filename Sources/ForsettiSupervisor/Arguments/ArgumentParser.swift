import ForsettiCore

/// Turns arguments into an invocation. Pure: no file is looked at.
struct ArgumentParser {
  private(set) var command = CommandName.run
  private var isCommandNamed = false
  private(set) var values: [Option: String] = [:]
  /// Every value of an option that may be given more than once.
  private(set) var repeated: [Option: [String]] = [:]
  private(set) var operands: [String] = []

  /// Parses the arguments after the program's name.
  static func parse(_ arguments: [String]) throws(CommandFailure) -> Invocation {
    var parser = ArgumentParser()
    var rest = arguments[...]
    // The command comes first, so that an option's value is never taken for it.
    if let first = rest.first, !first.hasPrefix("-") {
      guard let named = CommandName(rawValue: first) else { throw unknownCommand(first) }
      parser.command = named
      parser.isCommandNamed = true
      rest = rest.dropFirst()
    }
    try parser.read(rest)
    return try parser.invocation()
  }

  private mutating func read(_ arguments: ArraySlice<String>) throws(CommandFailure) {
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "--":
        operands += rest
        return
      case "-h": values[.help] = ""
      case "-f" where command == .logs || command == .events: try readOption("follow", &rest)
      case "-n" where command == .logs: try readOption("lines", &rest)
      case "--version" where !isCommandNamed: command = .version
      case _ where argument.hasPrefix("--"): try readOption(argument.dropFirst(2), &rest)
      case _ where argument.hasPrefix("-") && argument != "-":
        throw Self.failure("there are no short options but -h: \(argument.quoted())", about: namedCommand)
      default: operands.append(argument)
      }
    }
  }

  private mutating func readOption(
    _ text: Substring, _ rest: inout ArraySlice<String>
  ) throws(CommandFailure) {
    let name = String(text.prefix { $0 != "=" })
    guard let option = Option(rawValue: name) else {
      let near = NearestName.suggest(
        for: name, among: Option.allCases.filter { $0.commands.contains(command) }.map(\.rawValue))
      throw Self.failure(
        "unknown option \(("--" + name).quoted())" + (near.map { "; did you mean --\($0)?" } ?? ""),
        about: namedCommand)
    }
    guard option.commands.contains(command) else {
      let owners = CommandName.allCases.filter { option.commands.contains($0) }.map(\.rawValue)
      throw Self.failure(
        "--\(name) is an option of \(owners.joined(separator: ", ")), not of \(command.rawValue)",
        about: command)
    }
    guard values[option] == nil || option.isRepeatable else {
      throw Self.failure("--\(name) is given twice", about: namedCommand)
    }
    let inline = text.firstIndex(of: "=").map { String(text[text.index(after: $0)...]) }
    guard let placeholder = option.placeholder else {
      guard inline == nil else { throw Self.failure("--\(name) takes no value", about: namedCommand) }
      values[option] = ""
      return
    }
    guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
      throw Self.failure("--\(name) needs a value: --\(name) \(placeholder)", about: namedCommand)
    }
    values[option] = value
    if option.isRepeatable { repeated[option, default: []].append(value) }
  }

  private func invocation() throws(CommandFailure) -> Invocation {
    if values[.help] != nil { return .help(namedCommand) }
    switch command {
    case .run:
      try expectOperands([])
      return .run(try runOptions())
    case .check:
      try expectOperands([])
      return .check(try checkOptions())
    case .explain:
      try expectOperands(["MODULE"])
      if has(.running) { return .control(try runningExplanation()) }
      return .explain(
        moduleID: operands[0], try inputs(), state: values[.state], try choice(.format) ?? .text)
    case .oci:
      guard operands.first == "import" else {
        throw Self.noSubcommand(operands.first, among: ["import"], of: .oci)
      }
      try expectOperands(["import", "PROFILE"])
      return .oci(OCICommand(path: operands[1], json: has(.json)))
    case .accept:
      try expectOperands(["MODULE"])
      return .accept(
        AcceptOptions(
          moduleID: operands[0], inputs: try inputs(), state: values[.state], sha256: try hash(),
          data: try choice(.data), json: has(.json)))
    case .packages:
      return .packages(try packagesOptions())
    case .crashes:
      return .crashes(try crashesOptions())
    case .audit:
      guard operands.first == "verify" else {
        throw Self.noSubcommand(operands.first, among: ["verify"], of: .audit)
      }
      try expectOperands(["verify"])
      return .audit(AuditLogOptions(state: values[.state], json: has(.json)))
    case .crashTest:
      try expectOperands([])
      return .crashTest(try crashTestOptions())
    case .top:
      try expectOperands([])
      return .top(
        TopCommand(
          place: ControlPlace(state: values[.state], runtimeDirectory: values[.runtimeDirectory]),
          json: has(.json)))
    case .secret: return .secret(try secretCommand())
    case .console: return .console(try consoleCommand())
    case .status, .modules, .surface, .activate, .deactivate, .restart, .reset, .selectUI, .logs, .metrics,
      .reload, .events, .entitlements, .call, .publish, .render, .shutdown:
      return .control(try controlCommand())
    case .version:
      try expectOperands([])
      return .version(json: has(.json))
    case .help:
      guard let topic = operands.first else { return .help(nil) }
      guard operands.count == 1 else {
        throw Self.failure("help explains one command at a time", about: .help)
      }
      guard let command = CommandName(rawValue: topic) else { throw Self.unknownCommand(topic) }
      return .help(command)
    }
  }

  private var namedCommand: CommandName? { isCommandNamed ? command : nil }

  func has(_ option: Option) -> Bool { values[option] != nil }

  func expectOperands(_ names: [String]) throws(CommandFailure) {
    guard operands.count >= names.count else {
      throw Self.failure("\(command.rawValue) needs \(names[operands.count])", about: command)
    }
    guard operands.count == names.count else {
      throw Self.failure("unexpected argument \(operands[names.count].quoted())", about: namedCommand)
    }
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

  /// The first operand names what is to be done, and this one doesn't.
  static func noSubcommand(
    _ word: String?, among names: [String], of command: CommandName
  ) -> CommandFailure {
    let hint = word.map { "; \($0.quoted()) is none\(NearestName.hint(for: $0, among: names))" } ?? ""
    return failure(
      "\(command.rawValue) needs one of \(names.joined(separator: ", "))\(hint)", about: command)
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

  func choice<Value: RawRepresentable & CaseIterable>(
    _ option: Option
  ) throws(CommandFailure) -> Value? where Value.RawValue == String {
    guard let text = values[option] else { return nil }
    if let value = Value(rawValue: text) { return value }
    let names = Value.allCases.map(\.rawValue)
    let near = NearestName.suggest(for: text, among: names).map { "; did you mean \($0)?" } ?? ""
    throw Self.failure(
      "--\(option.rawValue) is one of \(names.joined(separator: ", ")), not \(text.quoted())\(near)",
      about: namedCommand)
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

  private static func unknownCommand(_ text: String) -> CommandFailure {
    let near = NearestName.suggest(for: text, among: CommandName.allCases.map(\.rawValue))
    return failure(
      "unknown command \(text.quoted())" + (near.map { "; did you mean \($0)?" } ?? ""), about: nil)
  }

  static func failure(_ message: String, about command: CommandName?) -> CommandFailure {
    let help = ["forsetti-supervisor", command?.rawValue, "--help"].compactMap { $0 }.joined(separator: " ")
    return CommandFailure(status: .usage, message: "\(message) (see \(help))")
  }
}
