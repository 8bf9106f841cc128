extension CrashReport {
  /// The version of the form; another one is not read.
  public static let schemaVersion = "1.0"

  /// The report as a tree, as Resources/Schemas/crash-report.schema.json has it.
  public var jsonValue: JSONValue {
    .object([
      ("schemaVersion", .string(Self.schemaVersion)), ("id", .string(id.text)),
      ("forsettiVersion", .string(ForsettiVersion.current.description)),
      ("module", module.jsonValue), ("grants", .strings(grants.map(\.rawValue))),
      ("startedAt", .integer(startedAt)), ("endedAt", .integer(endedAt)),
      ("uptimeMilliseconds", .integer(uptimeMilliseconds)), ("exit", exit.jsonValue),
      ("lastWords", .string(lastWords)), ("evidence", evidence.jsonValue),
      ("ends", .array(ends.map { .integer($0) })), ("next", next.jsonValue(for: module.moduleID)),
      ("wayOut", .string(wayOut)),
    ])
  }
}

extension CrashedModule {
  var jsonValue: JSONValue {
    .object([
      ("moduleID", .string(moduleID)), ("displayName", .string(displayName)), ("version", .string(version)),
      ("type", .string(type.rawValue)), ("origin", .string(origin)), ("entryPoint", .string(entryPoint)),
      ("manifestSHA256", .string(manifestSHA256)),
      ("capabilitiesRequested", .strings(capabilitiesRequested.map(\.rawValue))),
    ])
  }
}

extension CrashEvidence {
  var jsonValue: JSONValue {
    .object([
      ("lifetimeMilliseconds", .integer(lifetimeMilliseconds)), ("message", .string(message)),
      ("fault", fault?.jsonValue ?? .null), ("backtrace", .array(backtrace.map(\.jsonValue))),
      ("log", .array(log.map(\.jsonValue))), ("frameHeads", .array(frameHeads.map(\.jsonValue))),
      ("usage", usage?.jsonValue ?? .null),
      (
        "servedCalls",
        .object(servedCalls.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })
      ),
      ("delayedCalls", .integer(delayedCalls)), ("missing", .strings(missing)),
    ])
  }
}

extension CrashFault {
  var jsonValue: JSONValue {
    .object([
      ("signal", .integer(signal)), ("signalName", .string(SignalName.text(signal))),
      ("code", .integer(code)), ("address", .hex(address)),
    ])
  }
}

extension CrashFrame {
  var jsonValue: JSONValue {
    .object(omittingAbsent: [
      ("address", .hex(address)), ("file", file.map { .string($0) }), ("offset", offset.map { .hex($0) }),
      ("function", function.map { .string($0) }), ("functionOffset", functionOffset.map { .hex($0) }),
    ])
  }
}

extension CrashLogLine {
  var jsonValue: JSONValue {
    .object(omittingAbsent: [
      ("atMilliseconds", .integer(atMilliseconds)), ("level", level.map { .string($0.rawValue) }),
      ("text", .string(text)),
    ])
  }
}

extension CrashFrameHead {
  var jsonValue: JSONValue {
    .object(omittingAbsent: [
      ("kind", .string(kind)), ("callID", callID == 0 ? nil : .hex(callID)), ("length", .integer(length)),
      ("method", method.map { .string($0) }),
    ])
  }
}

extension CrashUsage {
  var jsonValue: JSONValue {
    .object([
      ("userMicroseconds", .integer(userMicroseconds)), ("systemMicroseconds", .integer(systemMicroseconds)),
      ("peakMemoryKiB", .integer(peakMemoryKiB)), ("majorFaults", .integer(majorFaults)),
      ("minorFaults", .integer(minorFaults)), ("voluntarySwitches", .integer(voluntarySwitches)),
      ("involuntarySwitches", .integer(involuntarySwitches)),
    ])
  }
}

extension CrashSequel {
  func jsonValue(for moduleID: String) -> JSONValue {
    let particulars: [(String, JSONValue)] =
      switch self {
      case .restart(let milliseconds, let attempt):
        [
          ("kind", .string("restart")), ("afterMilliseconds", .integer(milliseconds)),
          ("attempt", .integer(attempt)),
        ]
      case .quarantine(let cause): [("kind", .string("quarantine"))] + cause.particulars
      case .staysDown(let cause): [("kind", .string("stays_down")), ("cause", .string(cause.rawValue))]
      }
    return .object(
      particulars + [("message", .string(message)), ("command", .string(command(for: moduleID)))])
  }
}

extension QuarantineCause {
  var particulars: [(String, JSONValue)] {
    switch self {
    case .violation: [("cause", .string("violation"))]
    case .protocolError: [("cause", .string("protocol_error"))]
    case .sandboxFailed: [("cause", .string("sandbox_failed"))]
    case .tooManyRestarts(let count, let milliseconds):
      [
        ("cause", .string("too_many_restarts")), ("count", .integer(count)),
        ("withinMilliseconds", .integer(milliseconds)),
      ]
    }
  }
}
