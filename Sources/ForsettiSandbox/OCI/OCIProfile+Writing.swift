public import ForsettiCore

extension OCIProfile {
  /// The profile as its file has it.
  public var jsonValue: JSONValue {
    .object([
      ("defaultAction", .string(defaultAction.rawValue)), ("architectures", .strings(architectures)),
      ("syscalls", .array(entries.map(Self.json))),
    ])
  }

  private static func json(_ entry: Entry) -> JSONValue {
    .object(omittingAbsent: [
      ("names", .strings(entry.names)), ("action", .string(entry.action.rawValue)),
      ("errnoRet", entry.errno.map { .integer($0) }),
      ("args", entry.arguments.isEmpty ? nil : .array(entry.arguments.map(json))),
      ("comment", .string(entry.comment)),
    ])
  }

  private static func json(_ argument: Argument) -> JSONValue {
    .object([
      ("index", .integer(argument.index)), ("value", .integer(argument.value)),
      ("valueTwo", .integer(argument.valueTwo)), ("op", .string(argument.comparison.rawValue)),
    ])
  }
}

extension OCIProfile.Argument {
  /// The condition as people read it; registers have no names in a profile.
  public var text: String {
    let operation =
      switch comparison {
      case .notEqual: "!="
      case .less: "<"
      case .lessOrEqual: "≤"
      case .equal: "=="
      case .greaterOrEqual: "≥"
      case .greater: ">"
      case .maskedEqual: "& \(ArgumentCondition.hexadecimal(value)) =="
      }
    let datum = comparison == .maskedEqual ? valueTwo : value
    return "arg\(index) \(operation) \(ArgumentCondition.hexadecimal(datum))"
  }
}
