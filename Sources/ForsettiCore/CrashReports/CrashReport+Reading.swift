extension CrashReport {
  /// What a report is read within: more than a supervisor writes, whatever the module said.
  public static let limits = JSONLimits(bytes: 1 << 20, depth: 12, stringBytes: 16_384, arrayElements: 1_024)

  /// Reads a report back from its file.
  /// - Throws: where and why the bytes are none.
  public init(_ bytes: [UInt8]) throws(JSONFault) {
    let document = try JSONParser.parse(bytes, limits: Self.limits)
    do throws(JSONFault) { try self.init(json: JSONCursor(document.root)) } catch {
      throw document.locating(error)
    }
  }

  private init(json: JSONCursor) throws(JSONFault) {
    let version = try json.required("schemaVersion")
    guard try version.string() == Self.schemaVersion else {
      throw version.fault("a report of version \(Self.schemaVersion) is expected")
    }
    let id = try json.required("id")
    guard let name = CrashReportID(try id.string()) else { throw id.fault("no ID of a crash report") }
    self.init(
      id: name, module: try CrashedModule(json: json.required("module")),
      grants: try json.required("grants").listOf(Capability.self, called: "a capability"),
      endedAt: try json.required("endedAt").count(),
      uptimeMilliseconds: try json.required("uptimeMilliseconds").count(),
      exit: try ModuleExit(json: json.required("exit")),
      evidence: try CrashEvidence(json: json.required("evidence")),
      ends: try json.required("ends").list { (end) throws(JSONFault) in try end.count() },
      next: try CrashSequel(json: json.required("next")), wayOut: try json.optional("wayOut")?.string())
  }
}

extension CrashedModule {
  init(json: JSONCursor) throws(JSONFault) {
    self.init(
      moduleID: try json.required("moduleID").string(),
      displayName: try json.required("displayName").string(),
      version: try json.required("version").string(),
      type: try json.required("type").oneOf(ModuleType.self, called: "a module type"),
      origin: try json.required("origin").string(), entryPoint: try json.required("entryPoint").string(),
      manifestSHA256: try json.required("manifestSHA256").string(),
      capabilitiesRequested: try json.required("capabilitiesRequested").listOf(
        Capability.self, called: "a capability"))
  }
}

extension CrashEvidence {
  init(json: JSONCursor) throws(JSONFault) {
    self.init(
      lifetimeMilliseconds: try json.required("lifetimeMilliseconds").count(),
      message: try json.optional("message")?.string(),
      fault: try json.optional("fault").map { (fault) throws(JSONFault) in try CrashFault(json: fault) },
      backtrace: try json.required("backtrace").list { (frame) throws(JSONFault) in
        try CrashFrame(json: frame)
      },
      log: try json.required("log").list { (line) throws(JSONFault) in try CrashLogLine(json: line) },
      frameHeads: try json.required("frameHeads").list { (head) throws(JSONFault) in
        try CrashFrameHead(json: head)
      },
      usage: try json.optional("usage").map { (usage) throws(JSONFault) in try CrashUsage(json: usage) },
      delayedCalls: UInt64(try json.required("delayedCalls").count()),
      missing: try json.required("missing").strings())
    let served = try json.required("servedCalls")
    for member in try served.object() {
      servedCalls[member.key] = UInt64(try served.required(member.key).count())
    }
  }
}

extension CrashFault {
  init(json: JSONCursor) throws(JSONFault) {
    self.init(
      signal: try json.required("signal").int32(), code: try json.required("code").int32(),
      address: try json.required("address").hex())
  }
}

extension CrashFrame {
  init(json: JSONCursor) throws(JSONFault) {
    self.init(
      address: try json.required("address").hex(), file: try json.optional("file")?.string(),
      offset: try json.optional("offset")?.hex(), function: try json.optional("function")?.string(),
      functionOffset: try json.optional("functionOffset")?.hex())
  }
}

extension CrashLogLine {
  init(json: JSONCursor) throws(JSONFault) {
    self.init(
      atMilliseconds: try json.required("atMilliseconds").count(),
      level: try json.optional("level")?.oneOf(LogLevel.self, called: "a level"),
      text: try json.required("text").string())
  }
}

extension CrashFrameHead {
  init(json: JSONCursor) throws(JSONFault) {
    self.init(
      kind: try json.required("kind").string(), callID: try json.optional("callID")?.hex() ?? 0,
      length: UInt32(try json.required("length").integer(in: 0...Int64(UInt32.max))),
      method: try json.optional("method")?.string())
  }
}

extension CrashUsage {
  init(json: JSONCursor) throws(JSONFault) {
    self.init(
      userMicroseconds: try json.required("userMicroseconds").count(),
      systemMicroseconds: try json.required("systemMicroseconds").count(),
      peakMemoryKiB: try json.required("peakMemoryKiB").count(),
      majorFaults: try json.required("majorFaults").count(),
      minorFaults: try json.required("minorFaults").count(),
      voluntarySwitches: try json.required("voluntarySwitches").count(),
      involuntarySwitches: try json.required("involuntarySwitches").count())
  }
}

extension CrashSequel {
  init(json: JSONCursor) throws(JSONFault) {
    let kind = try json.required("kind")
    switch try kind.string() {
    case "restart":
      self = .restart(
        afterMilliseconds: Int(try json.required("afterMilliseconds").count()),
        attempt: Int(try json.required("attempt").count()))
    case "quarantine": self = .quarantine(try QuarantineCause(json: json))
    case "stays_down":
      self = .staysDown(try json.required("cause").oneOf(StayDownCause.self, called: "a cause"))
    default: throw kind.fault("restart, quarantine or stays_down is expected")
    }
  }
}

extension QuarantineCause {
  init(json: JSONCursor) throws(JSONFault) {
    let cause = try json.required("cause")
    switch try cause.string() {
    case "violation": self = .violation
    case "protocol_error": self = .protocolError
    case "sandbox_failed": self = .sandboxFailed
    case "too_many_restarts":
      self = .tooManyRestarts(
        count: Int(try json.required("count").count()),
        withinMilliseconds: Int(try json.required("withinMilliseconds").count()))
    default: throw cause.fault("no cause of a quarantine")
    }
  }
}

extension JSONCursor {
  /// A number of things or of units: never negative.
  fileprivate func count() throws(JSONFault) -> Int64 { try integer(in: 0...Int64.max) }

  /// An array, each element read alike.
  fileprivate func list<Element>(
    _ read: (JSONCursor) throws(JSONFault) -> Element
  ) throws(JSONFault) -> [Element] {
    var list: [Element] = []
    for element in try array() { list.append(try read(element)) }
    return list
  }
}
