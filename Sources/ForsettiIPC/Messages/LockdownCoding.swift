import ForsettiCore

extension CBORWriter {
  mutating func lockdown(_ request: LockdownRequest) throws(CBORError) {
    if request.filter.count % 8 != 0 {
      throw CBORError(.inconsistent("a filter that is cut inside an instruction"))
    }
    map(count: 5 + (request.userID == nil ? 0 : 1) + (request.executable == nil ? 0 : 1))
    key("filter")
    try byteString(request.filter, limit: ProtocolLimits.filter)
    key("limits")
    limits(request.limits)
    if let userID = request.userID {
      key("userID")
      unsigned(UInt64(userID))
    }
    if let executable = request.executable {
      key("executable")
      integer(Int64(executable))
    }
    key("mayBeMissing")
    try texts(request.mayBeMissing.map(\.rawValue).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    key("supervisorPID")
    integer(Int64(request.supervisorPID))
    key("lastDescriptor")
    integer(Int64(request.lastDescriptor))
  }

  private mutating func limits(_ limits: SandboxLimits) {
    map(count: 7)
    key("threads")
    unsigned(limits.threads)
    key("dataBytes")
    unsigned(limits.dataBytes)
    key("openFiles")
    unsigned(limits.openFiles)
    key("cpuSeconds")
    unsigned(limits.cpuSeconds)
    key("stackBytes")
    unsigned(limits.stackBytes)
    key("fileSizeBytes")
    unsigned(limits.fileSizeBytes)
    key("addressSpaceBytes")
    unsigned(limits.addressSpaceBytes)
  }
}

extension CBORReader {
  mutating func lockdown() throws(CBORError) -> LockdownRequest {
    var fields = try fields()
    try field("filter", &fields)
    let start = offset
    let filter = try byteString(limit: ProtocolLimits.filter)
    if filter.count % 8 != 0 {
      throw CBORError(.inconsistent("a filter that is cut inside an instruction"), at: start)
    }
    try field("limits", &fields)
    let limits = try limits()
    let userID = try optionalField("userID", &fields) ? try UInt32(integer(in: 0...Int64(UInt32.max))) : nil
    let executable =
      try optionalField("executable", &fields) ? try Int32(integer(in: 0...Int64(Int32.max))) : nil
    let mayBeMissing = try layers(&fields)
    try field("supervisorPID", &fields)
    let supervisorPID = try Int32(integer(in: 0...Int64(Int32.max)))
    try field("lastDescriptor", &fields)
    let lastDescriptor = try Int32(integer(in: 0...Int64(Int32.max)))
    try end(fields)
    return LockdownRequest(
      filter: filter, supervisorPID: supervisorPID, userID: userID, limits: limits,
      mayBeMissing: mayBeMissing, lastDescriptor: lastDescriptor, executable: executable)
  }

  private mutating func layers(_ fields: inout CBORFields) throws(CBORError) -> Set<SandboxLayer> {
    try field("mayBeMissing", &fields)
    let start = offset
    let count = try arrayCount(limit: ProtocolLimits.items)
    var layers: [SandboxLayer] = []
    for _ in 0..<count {
      let layer: SandboxLayer = try choice()
      // A set has one encoding: ascending, each once.
      if let last = layers.last, !last.rawValue.utf8.lexicographicallyPrecedes(layer.rawValue.utf8) {
        throw CBORError(.inconsistent("layers out of order or twice"), at: start)
      }
      layers.append(layer)
    }
    return Set(layers)
  }

  private mutating func limits() throws(CBORError) -> SandboxLimits {
    var fields = try fields()
    var limits = SandboxLimits()
    try field("threads", &fields)
    limits.threads = try unsigned()
    try field("dataBytes", &fields)
    limits.dataBytes = try unsigned()
    try field("openFiles", &fields)
    limits.openFiles = try unsigned()
    try field("cpuSeconds", &fields)
    limits.cpuSeconds = try unsigned()
    try field("stackBytes", &fields)
    limits.stackBytes = try unsigned()
    try field("fileSizeBytes", &fields)
    limits.fileSizeBytes = try unsigned()
    try field("addressSpaceBytes", &fields)
    limits.addressSpaceBytes = try unsigned()
    try end(fields)
    return limits
  }
}
