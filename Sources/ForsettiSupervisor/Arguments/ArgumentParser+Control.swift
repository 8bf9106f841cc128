import ForsettiCore

// Commands that a running supervisor carries out.
extension ArgumentParser {
  func controlCommand() throws(CommandFailure) -> ControlCommand {
    ControlCommand(
      request: try controlRequest(),
      place: place,
      json: has(.json))
  }

  private func controlRequest() throws(CommandFailure) -> ControlRequest {
    switch command {
    case .modules: return .modules(try optionalOperand())
    case .surface: return try alone(.surface)
    case .activate: return .activate(try operand())
    case .deactivate: return .deactivate(try operand())
    case .restart: return .restart(try operand())
    case .reset: return .reset(try operand())
    case .selectUI:
      let name = try operand("MODULE, or none")
      return .selectUI(name == "none" ? nil : name)
    case .logs: return .logs(try logsOptions())
    case .metrics: return try alone(.metrics)
    case .reload: return try alone(.reload(isTrial: has(.dryRun)))
    case .events: return .events(try optionalOperand("TYPE"))
    case .entitlements: return try alone(.entitlements)
    case .call: return .call(try callOptions())
    case .publish: return .publish(try publishOptions())
    case .render: return .render(try renderOptions())
    case .shutdown: return try alone(.shutdown)
    default: return try alone(has(.ready) ? .readiness : .status)
    }
  }

  /// `explain --running`.
  func runningExplanation() throws(CommandFailure) -> ControlCommand {
    let format: ExplainFormat = try choice(.format) ?? .text
    guard format == .text || format == .json else {
      throw Self.failure(
        "--running shows text or json; --format \(format.rawValue) is of explain alone", about: .explain)
    }
    return ControlCommand(
      request: .explain(operands[0]),
      place: place,
      json: format == .json)
  }

  func consoleCommand() throws(CommandFailure) -> ConsoleCommand {
    try expectOperands([])
    var command = ConsoleCommand(
      place: place,
      showsURL: has(.url))
    if let text = values[.listen] {
      guard let address = ListenAddress(text) else {
        throw Self.failure(
          "--listen is 127.0.0.1:PORT or unix:/PATH, not \(text.quoted()): the console is for this host alone",
          about: .console)
      }
      command.address = address
    }
    return command
  }

  func secretCommand() throws(CommandFailure) -> SecretCommand {
    let action: SecretCommand.Action
    switch operands.first {
    case "set":
      try expectOperands(["set", "SECRET"])
      action = .set(operands[1])
    case "list":
      try expectOperands(["list"])
      guard !has(.field), !has(.stdin) else {
        throw Self.failure("--field and --stdin are of secret set", about: .secret)
      }
      action = .list
    case let word: throw Self.noSubcommand(word, among: ["list", "set"], of: .secret)
    }
    return SecretCommand(
      action: action,
      place: place,
      fields: try pairs(repeated[.field] ?? []), readsInput: has(.stdin), json: has(.json))
  }

  private func alone(_ request: ControlRequest) throws(CommandFailure) -> ControlRequest {
    try expectOperands([])
    return request
  }

  private func operand(_ name: String = "MODULE") throws(CommandFailure) -> String {
    try expectOperands([name])
    return operands[0]
  }

  private func optionalOperand(_ name: String = "MODULE") throws(CommandFailure) -> String? {
    operands.isEmpty ? nil : try operand(name)
  }

  private func callOptions() throws(CommandFailure) -> CallOptions {
    try expectOperands(operands.count > 2 ? ["ROLE", "METHOD", "JSON"] : ["ROLE", "METHOD"])
    guard operands.count > 2 else { return CallOptions(role: operands[0], method: operands[1]) }
    return CallOptions(role: operands[0], method: operands[1], parameters: operands[2])
  }

  private func renderOptions() throws(CommandFailure) -> RenderOptions {
    guard let view = operands.first else { throw Self.failure("render needs VIEW", about: .render) }
    return RenderOptions(view: view, module: values[.module], parameters: try pairs(after: 1))
  }

  private func publishOptions() throws(CommandFailure) -> PublishOptions {
    if operands.count < 2 { try expectOperands(["MODULE", "TYPE"]) }
    return PublishOptions(module: operands[0], type: operands[1], payload: try pairs(after: 2))
  }

  /// The operands after the first ones, each a name and a text.
  private func pairs(after count: Int) throws(CommandFailure) -> [String: String] {
    try self.pairs(operands.dropFirst(count))
  }

  private func pairs(_ texts: some Sequence<String>) throws(CommandFailure) -> [String: String] {
    var pairs: [String: String] = [:]
    for pair in texts {
      guard let equals = pair.firstIndex(of: "=") else {
        throw Self.failure("NAME=VALUE is meant, not \(pair.quoted())", about: command)
      }
      pairs[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
    }
    return pairs
  }

  private func logsOptions() throws(CommandFailure) -> LogsOptions {
    let count = values[.lines].map { Int($0) ?? -1 } ?? LogsOptions().count
    guard (0...4096).contains(count) else {
      throw Self.failure(
        "--lines is a number from 0 to 4096, not \(values[.lines]?.quoted() ?? "")", about: .logs)
    }
    return LogsOptions(
      module: try optionalOperand(), level: try choice(.level) ?? .debug, count: count, follows: has(.follow))
  }
}
