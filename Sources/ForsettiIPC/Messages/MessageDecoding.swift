import ForsettiCore

extension ProtocolMessage {
  /// Decodes what a frame carries; both parts are checked whole.
  public static func decode(_ frame: Frame) throws(ProtocolError) -> ProtocolMessage {
    let kind = frame.header.kind
    if kind.isTraffic { throw .notAMessage(kind) }
    try frame.header.check()
    var head = CBORReader(frame.head)
    var payload = CBORReader(frame.payload)
    var part = ProtocolError.Part.head
    do {
      let message = try decode(kind, &head, &payload, &part)
      part = .head
      try head.finish()
      part = .payload
      try payload.finish()
      return message
    } catch {
      throw .malformed(kind, part, error)
    }
  }

  private static func decode(
    _ kind: FrameKind, _ head: inout CBORReader, _ payload: inout CBORReader, _ part: inout ProtocolError.Part
  ) throws(CBORError) -> ProtocolMessage {
    switch kind {
    case .release: return .release
    case .started: return .started
    case .stop: return .stop
    case .stopped: return .stopped
    case .ping: return .ping
    case .pong: return .pong
    case .locked: return .locked(try head.locked())
    case .refused: return .refused(try head.refused())
    case .start: return .start(try head.start())
    case .setUp:
      var fields = try head.fields()
      let versions = try head.versions(&fields)
      try head.end(fields)
      part = .payload
      return .setUp(try payload.setUp(versions))
    case .describe:
      var fields = try head.fields()
      let version =
        try head.optionalField("version", &fields) ? try UInt16(head.integer(in: 0...Int64(UInt16.max))) : nil
      try head.field("isUIModule", &fields)
      let isUIModule = try head.bool()
      try head.end(fields)
      part = .payload
      return .describe(try payload.describe(isUIModule, version: version))
    case .identify:
      var fields = try head.fields()
      let versions = try head.versions(&fields)
      try head.end(fields)
      part = .payload
      return .identify(try payload.identify(versions))
    case .describeFailed:
      part = .payload
      return .describeFailed(
        DescribeFailedMessage(entryPoint: try payload.only("entryPoint", ProtocolLimits.text)))
    case .startFailed:
      part = .payload
      return .startFailed(StartFailedMessage(reason: try payload.only("reason", ProtocolLimits.message)))
    case .log:
      var fields = try head.fields()
      let level: LogLevel = try head.choice("level", &fields)
      try head.end(fields)
      part = .payload
      return .log(try payload.log(level))
    case .publish:
      let event = try EventHead(from: &head, of: .publish)
      part = .payload
      return .publish(PublishMessage(type: event.type, payload: try payload.eventPayload()))
    // Refused before.
    case .deliver, .dropped, .call, .reply, .failure, .cancel: throw CBORError(.inconsistent("no message"))
    }
  }
}

extension CBORReader {
  /// A map of one text under a known key.
  mutating func only(_ key: StaticString, _ limit: Int) throws(CBORError) -> String {
    var fields = try fields()
    try field(key, &fields)
    let value = try text(limit: limit)
    try end(fields)
    return value
  }

  mutating func versions(_ fields: inout CBORFields) throws(CBORError) -> ProtocolRange {
    try field("versions", &fields)
    return try range()
  }

  private mutating func range() throws(CBORError) -> ProtocolRange {
    let start = offset
    guard try arrayCount(limit: 2) == 2 else {
      throw CBORError(.inconsistent("a range that is no pair"), at: start)
    }
    let lowest = try UInt16(integer(in: 0...Int64(UInt16.max)))
    let highest = try UInt16(integer(in: 0...Int64(UInt16.max)))
    if lowest > highest { throw CBORError(.inconsistent("a version range that is empty"), at: start) }
    return ProtocolRange(lowest: lowest, highest: highest)
  }

  mutating func setUp(_ versions: ProtocolRange) throws(CBORError) -> SetUpMessage {
    var fields = try fields()
    try field("lockdown", &fields)
    let lockdown = try lockdown()
    let moduleID = try text("moduleID", &fields)
    let entryPoint = try text("entryPoint", &fields)
    try end(fields)
    return SetUpMessage(versions: versions, moduleID: moduleID, entryPoint: entryPoint, lockdown: lockdown)
  }

  mutating func locked() throws(CBORError) -> LockedMessage {
    var fields = try fields()
    try field("version", &fields)
    let version = try UInt16(integer(in: 0...Int64(UInt16.max)))
    try field("listener", &fields)
    let listener = try Int32(integer(in: 0...Int64(Int32.max)))
    try field("landlockABI", &fields)
    let landlockABI = try Int32(integer(in: 0...Int64(Int32.max)))
    try end(fields)
    return LockedMessage(version: version, listener: listener, landlockABI: landlockABI)
  }

  mutating func refused() throws(CBORError) -> RefusedMessage {
    var fields = try fields()
    let message: RefusedMessage
    if try optionalField("badSetUp", &fields) {
      message = .badSetUp(try text(limit: ProtocolLimits.complaint))
    } else if try optionalField("lockdown", &fields) {
      var inner = try self.fields()
      let step: SandboxLayer = try choice("step", &inner)
      try field("errno", &inner)
      let errno = try Int32(integer(in: 0...Int64(Int32.max)))
      try end(inner)
      message = .lockdown(step: step, errno: errno)
    } else {
      message = .version(try versions(&fields))
    }
    try end(fields)
    return message
  }

  mutating func start() throws(CBORError) -> StartMessage {
    var fields = try fields()
    try field("spin", &fields)
    let spin = try bool()
    let start = offset
    let grants: [Capability] = try choices("grants", &fields)
    if Set(grants).count != grants.count {
      throw CBORError(.inconsistent("a capability granted twice"), at: start)
    }
    try end(fields)
    return StartMessage(grants: grants, spin: spin)
  }

  mutating func identify(_ versions: ProtocolRange) throws(CBORError) -> IdentifyMessage {
    var fields = try fields()
    let moduleID = try text("moduleID", &fields)
    let entryPoint = try text("entryPoint", &fields)
    try end(fields)
    return IdentifyMessage(versions: versions, moduleID: moduleID, entryPoint: entryPoint)
  }

  mutating func describe(_ isUIModule: Bool, version: UInt16?) throws(CBORError) -> DescribeMessage {
    var fields = try fields()
    try field("manifest", &fields)
    let manifest = try manifest()
    try field("descriptor", &fields)
    let descriptor = try descriptor()
    var contributions: UIContributions?
    if isUIModule {
      try field("contributions", &fields)
      contributions = try self.contributions()
    }
    try end(fields)
    return DescribeMessage(
      descriptor: descriptor, manifest: manifest, isUIModule: isUIModule, contributions: contributions,
      version: version)
  }

  mutating func log(_ level: LogLevel) throws(CBORError) -> LogMessage {
    var fields = try fields()
    try field("message", &fields)
    let message = try text(limit: ProtocolLimits.message)
    try field("metadata", &fields)
    let metadata = try textMap(
      limit: ProtocolLimits.metadata, keyLimit: ProtocolLimits.text, valueLimit: ProtocolLimits.text)
    try end(fields)
    return LogMessage(level: level, message: message, metadata: metadata)
  }
}
