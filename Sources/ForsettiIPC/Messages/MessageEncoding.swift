import ForsettiCore

extension ProtocolMessage {
  /// The kind of frame that carries the message.
  public var kind: FrameKind {
    switch self {
    case .setUp: .setUp
    case .locked: .locked
    case .refused: .refused
    case .release: .release
    case .identify: .identify
    case .describe: .describe
    case .describeFailed: .describeFailed
    case .start: .start
    case .started: .started
    case .startFailed: .startFailed
    case .stop: .stop
    case .stopped: .stopped
    case .ping: .ping
    case .pong: .pong
    case .log: .log
    case .publish: .publish
    }
  }

  /// Queues the message as one frame; nothing of it when this throws.
  public func encode(into queue: inout OutboundQueue) throws(MessageEncodingError) {
    try queue.append(full: .full) { (bytes) throws(MessageEncodingError) in try append(to: &bytes) }
  }

  /// The message as one frame, header and all.
  public func encoded() throws(MessageEncodingError) -> [UInt8] {
    var bytes: [UInt8] = []
    try append(to: &bytes)
    return bytes
  }

  /// Appends a frame to empty bytes.
  private func append(to bytes: inout [UInt8]) throws(MessageEncodingError) {
    var header = FrameHeader(kind: kind, length: 0, headLength: 0)
    header.encode(into: &bytes)
    // Swapped, so that the writer has the one reference to the bytes and appends in place.
    var writer = CBORWriter(appendingTo: [], ceiling: FrameHeader.size + FrameHeader.maximumBody)
    swap(&bytes, &writer.bytes)
    let headEnd: Int
    do {
      try writeHead(&writer)
      headEnd = writer.bytes.count
      try writePayload(&writer)
    } catch {
      throw .invalid(kind, error.fault)
    }
    swap(&bytes, &writer.bytes)
    let headLength = headEnd - FrameHeader.size
    let payloadLength = bytes.count - headEnd
    guard headLength <= FrameHeader.maximumHead, payloadLength <= FrameHeader.maximumPayload else {
      throw .tooLarge(kind, head: headLength, payload: payloadLength)
    }
    header.headLength = UInt16(headLength)
    header.length = UInt32(headLength + payloadLength)
    header.overwrite(&bytes, at: 0)
  }

  private func writeHead(_ writer: inout CBORWriter) throws(CBORError) {
    switch self {
    case .setUp(let message):
      writer.map(count: 1)
      try writer.versions(message.versions)
    case .identify(let message):
      writer.map(count: 1)
      try writer.versions(message.versions)
    case .locked(let message):
      writer.map(count: 3)
      writer.key("version")
      writer.unsigned(UInt64(message.version))
      writer.key("listener")
      try writer.integer(Int(message.listener), in: 0...Int64(Int32.max))
      writer.key("landlockABI")
      try writer.integer(Int(message.landlockABI), in: 0...Int64(Int32.max))
    case .refused(let message): try writer.refused(message)
    case .describe(let message):
      if message.isUIModule != (message.contributions != nil) {
        throw CBORError(.inconsistent("contributions of no UI module, or a UI module without"))
      }
      writer.map(count: message.version == nil ? 1 : 2)
      if let version = message.version {
        writer.key("version")
        writer.unsigned(UInt64(version))
      }
      writer.key("isUIModule")
      writer.bool(message.isUIModule)
    case .start(let message): try writer.start(message)
    case .log(let message):
      writer.map(count: 1)
      writer.key("level")
      try writer.choice(message.level)
    case .publish(let message): try EventHead(type: message.type).encode(into: &writer)
    case .release, .describeFailed, .started, .startFailed, .stop, .stopped, .ping, .pong: break
    }
  }

  private func writePayload(_ writer: inout CBORWriter) throws(CBORError) {
    switch self {
    case .setUp(let message):
      writer.map(count: 3)
      writer.key("lockdown")
      try writer.lockdown(message.lockdown)
      try writer.text("moduleID", message.moduleID)
      try writer.text("entryPoint", message.entryPoint)
    case .identify(let message):
      writer.map(count: 2)
      try writer.text("moduleID", message.moduleID)
      try writer.text("entryPoint", message.entryPoint)
    case .describe(let message):
      writer.map(count: message.contributions == nil ? 2 : 3)
      writer.key("manifest")
      try writer.manifest(message.manifest)
      writer.key("descriptor")
      try writer.descriptor(message.descriptor)
      if let contributions = message.contributions {
        writer.key("contributions")
        try writer.contributions(contributions)
      }
    case .describeFailed(let message):
      writer.map(count: 1)
      try writer.text("entryPoint", message.entryPoint)
    case .startFailed(let message):
      writer.map(count: 1)
      writer.key("reason")
      try writer.text(message.reason, limit: ProtocolLimits.message)
    case .log(let message):
      writer.map(count: 2)
      writer.key("message")
      try writer.text(message.message, limit: ProtocolLimits.message)
      writer.key("metadata")
      try writer.textMap(
        message.metadata, limit: ProtocolLimits.metadata, keyLimit: ProtocolLimits.text,
        valueLimit: ProtocolLimits.text)
    case .publish(let message): try writer.eventPayload(message.payload)
    case .locked, .refused, .release, .start, .started, .stop, .stopped, .ping, .pong: break
    }
  }
}

extension CBORWriter {
  mutating func versions(_ range: ProtocolRange) throws(CBORError) {
    if range.lowest > range.highest { throw CBORError(.inconsistent("a version range that is empty")) }
    key("versions")
    array(count: 2)
    unsigned(UInt64(range.lowest))
    unsigned(UInt64(range.highest))
  }

  mutating func start(_ message: StartMessage) throws(CBORError) {
    let grants = message.grants
    if Set(grants).count != grants.count { throw CBORError(.inconsistent("a capability granted twice")) }
    map(count: 2)
    key("spin")
    bool(message.spin)
    key("grants")
    try array(grants) { (writer, item) throws(CBORError) in try writer.choice(item) }
  }

  mutating func refused(_ message: RefusedMessage) throws(CBORError) {
    map(count: 1)
    switch message {
    case .badSetUp(let complaint):
      key("badSetUp")
      try text(complaint, limit: ProtocolLimits.complaint)
    case .lockdown(let step, let errno):
      key("lockdown")
      map(count: 2)
      key("step")
      try choice(step)
      key("errno")
      try integer(Int(errno), in: 0...Int64(Int32.max))
    case .version(let range): try versions(range)
    }
  }
}
