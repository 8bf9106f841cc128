extension ModuleExit {
  /// Status and reason as a tree.
  public var jsonValue: JSONValue {
    .object([("status", status.jsonValue), ("reason", reason.jsonValue), ("message", .string(description))])
  }

  /// Reads an exit back; its message is made anew.
  public init(json: JSONCursor) throws(JSONFault) {
    self.init(
      status: try ProcessStatus(json: json.required("status")),
      reason: try ExitReason(json: json.required("reason")))
  }
}

extension ProcessStatus {
  var jsonValue: JSONValue {
    switch self {
    case .exited(let code): .object([("exitCode", .integer(code))])
    case .signalled(let signal):
      .object([("signal", .integer(signal)), ("signalName", .string(SignalName.text(signal)))])
    }
  }

  init(json: JSONCursor) throws(JSONFault) {
    if let code = try json.optional("exitCode") {
      self = .exited(code: try code.int32())
    } else {
      self = .signalled(try json.required("signal").int32())
    }
  }
}

extension ExitReason {
  var jsonValue: JSONValue {
    .object([("kind", .string(kind.rawValue))] + particulars)
  }

  private var particulars: [(String, JSONValue)] {
    switch self {
    case .stopped, .aborted, .outOfMemory, .cpuLimit, .fileSizeLimit, .supervisorShutdown: []
    case .crashed(let signal), .stopForced(let signal), .killed(let signal):
      [("signal", .integer(signal)), ("signalName", .string(SignalName.text(signal)))]
    case .exitedEarly(let code): [("code", .integer(code))]
    case .violation(let violation): [("violation", violation.jsonValue)]
    case .protocolError(let text): [("text", .string(text.plain(limit: 1024)))]
    case .timedOut(let phase): [("phase", .string(phase.rawValue))]
    case .sandboxFailed(let step, let errno):
      [("step", .string(step.rawValue)), ("errno", .integer(errno))]
    case .heartbeatLost(let milliseconds): [("milliseconds", .integer(milliseconds))]
    }
  }

  init(json: JSONCursor) throws(JSONFault) {
    switch try json.required("kind").oneOf(ExitKind.self, called: "a reason") {
    case .stopped: self = .stopped
    case .crashed: self = .crashed(signal: try json.required("signal").int32())
    case .aborted: self = .aborted
    case .exitedEarly: self = .exitedEarly(code: try json.required("code").int32())
    case .violation: self = .violation(try Violation(json: json.required("violation")))
    case .protocolError: self = .protocolError(try json.required("text").string())
    case .timedOut: self = .timedOut(try json.required("phase").oneOf(ModulePhase.self, called: "a phase"))
    case .sandboxFailed:
      self = .sandboxFailed(
        step: try json.required("step").oneOf(SandboxLayer.self, called: "a layer"),
        errno: try json.required("errno").int32())
    case .stopForced: self = .stopForced(signal: try json.required("signal").int32())
    case .heartbeatLost:
      self = .heartbeatLost(milliseconds: Int(try json.required("milliseconds").integer(in: 0...Int64.max)))
    case .outOfMemory: self = .outOfMemory
    case .cpuLimit: self = .cpuLimit
    case .fileSizeLimit: self = .fileSizeLimit
    case .killed: self = .killed(signal: try json.required("signal").int32())
    case .supervisorShutdown: self = .supervisorShutdown
    }
  }
}

extension Violation {
  var jsonValue: JSONValue {
    .object(omittingAbsent: [
      ("syscall", .string(syscall)), ("number", .integer(number)),
      ("arguments", .array(arguments.map { .hex($0) })), ("decoded", .strings(decoded)),
      ("path", path.map { .string($0) }), ("instructionPointer", .hex(instructionPointer)),
    ])
  }

  init(json: JSONCursor) throws(JSONFault) {
    var registers: [UInt64] = []
    for register in try json.required("arguments").array() { registers.append(try register.hex()) }
    self.init(
      syscall: try json.required("syscall").string(), number: try json.required("number").int32(),
      arguments: registers, decoded: try json.required("decoded").strings(),
      path: try json.optional("path")?.string(),
      instructionPointer: try json.required("instructionPointer").hex())
  }
}

// Words of a processor: JSON's numbers are exact to 53 bits only, and nobody reads addresses in decimal.
extension JSONValue {
  /// `"0x1f"`.
  static func hex(_ value: UInt64) -> JSONValue { .string("0x" + String(value, radix: 16)) }
}

extension JSONCursor {
  /// A text of `0x` and up to 16 hexadecimal digits.
  func hex() throws(JSONFault) -> UInt64 {
    let text = try string()
    guard text.hasPrefix("0x"), let value = UInt64(text.dropFirst(2), radix: 16) else {
      throw fault("a text like \"0x1f\" is expected")
    }
    return value
  }

  /// An integer of 32 bits.
  func int32() throws(JSONFault) -> Int32 {
    Int32(truncatingIfNeeded: try integer(in: Int64(Int32.min)...Int64(Int32.max)))
  }
}
