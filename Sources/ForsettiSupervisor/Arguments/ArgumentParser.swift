import ForsettiCore

/// Turns arguments into an invocation. Pure: no file is looked at. This reads options and operands; what each command makes
/// of them is beside it.
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

  var namedCommand: CommandName? { isCommandNamed ? command : nil }

  func has(_ option: Option) -> Bool { values[option] != nil }

  /// Where the control socket is.
  var place: ControlPlace { ControlPlace(state: values[.state], runtimeDirectory: values[.runtimeDirectory]) }

  func expectOperands(_ names: [String]) throws(CommandFailure) {
    guard operands.count >= names.count else {
      throw Self.failure("\(command.rawValue) needs \(names[operands.count])", about: command)
    }
    guard operands.count == names.count else {
      throw Self.failure("unexpected argument \(operands[names.count].quoted())", about: namedCommand)
    }
  }

  /// The first operand names what is to be done, and this one doesn't.
  static func noSubcommand(
    _ word: String?, among names: [String], of command: CommandName
  ) -> CommandFailure {
    let hint = word.map { "; \($0.quoted()) is none\(NearestName.hint(for: $0, among: names))" } ?? ""
    return failure(
      "\(command.rawValue) needs one of \(names.joined(separator: ", "))\(hint)", about: command)
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

  static func unknownCommand(_ text: String) -> CommandFailure {
    let near = NearestName.suggest(for: text, among: CommandName.allCases.map(\.rawValue))
    return failure(
      "unknown command \(text.quoted())" + (near.map { "; did you mean \($0)?" } ?? ""), about: nil)
  }

  static func failure(_ message: String, about command: CommandName?) -> CommandFailure {
    let help = ["forsetti-supervisor", command?.rawValue, "--help"].compactMap { $0 }.joined(separator: " ")
    return CommandFailure(status: .usage, message: "\(message) (see \(help))")
  }
}
