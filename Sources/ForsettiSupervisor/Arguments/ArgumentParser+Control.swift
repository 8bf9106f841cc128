import ForsettiCore

// Commands that a running supervisor carries out.
extension ArgumentParser {
  func controlCommand() throws(CommandFailure) -> ControlCommand {
    ControlCommand(
      request: try controlRequest(),
      place: ControlPlace(state: values[.state], runtimeDirectory: values[.runtimeDirectory]),
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
    case .shutdown: return try alone(.shutdown)
    default: return try alone(.status)
    }
  }

  private func alone(_ request: ControlRequest) throws(CommandFailure) -> ControlRequest {
    try expectOperands([])
    return request
  }

  private func operand(_ name: String = "MODULE") throws(CommandFailure) -> String {
    try expectOperands([name])
    return operands[0]
  }

  private func optionalOperand() throws(CommandFailure) -> String? {
    operands.isEmpty ? nil : try operand()
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
