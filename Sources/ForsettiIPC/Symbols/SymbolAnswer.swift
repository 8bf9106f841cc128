public import ForsettiCore

/// What a symbol worker answers. It has read bytes of strangers by then, so whoever reads the answer bounds it and does
/// not believe it.
public enum SymbolAnswer: Sendable, Hashable {
  /// The function around each place of the request, in its order; `nil` where none is known.
  case functions([Function?])
  /// It could not lock itself, and read nothing.
  case refused(step: SandboxLayer, errno: Int32)

  /// A function around a place.
  public struct Function: Sendable, Hashable {
    /// Its name as people read it, cut to `maximumName`.
    public var name: String
    /// Where it begins, as places are counted.
    public var start: UInt64

    /// Makes a function.
    public init(name: String, start: UInt64) {
      self.name = name
      self.start = start
    }
  }

  /// Bytes of a name at most.
  public static let maximumName = 512
  /// Bytes of an answer at most.
  public static let maximumBytes = 8 + SymbolRequest.maximumPlaces * (maximumName + 16)

  /// Its encoding; names are cut.
  /// - Throws: `tooLong` for more functions than a request can ask for.
  public func encoded() throws(CBORError) -> [UInt8] {
    var writer = CBORWriter()
    switch self {
    case .functions(let functions):
      guard functions.count <= SymbolRequest.maximumPlaces else {
        throw CBORError(.tooLong(limit: SymbolRequest.maximumPlaces))
      }
      writer.array(count: functions.count)
      for function in functions { try writer.function(function) }
    case .refused(let step, let errno):
      writer.map(count: 2)
      writer.key("step")
      try writer.choice(step)
      writer.key("errno")
      writer.integer(Int64(errno))
    }
    return writer.bytes
  }

  /// The answer in these bytes, all of them.
  public static func decode(_ bytes: Span<UInt8>) throws(CBORError) -> SymbolAnswer {
    var reader = CBORReader(bytes)
    let isRefusal = try reader.nextMajorType() == 5
    let answer: SymbolAnswer = isRefusal ? try reader.refusal() : .functions(try reader.functions())
    try reader.finish()
    return answer
  }
}

extension CBORWriter {
  fileprivate mutating func function(_ function: SymbolAnswer.Function?) throws(CBORError) {
    guard let function else { return null() }
    array(count: 2)
    try text(ProtocolLimits.truncated(function.name, to: SymbolAnswer.maximumName))
    unsigned(function.start)
  }
}

extension CBORReader {
  fileprivate mutating func refusal() throws(CBORError) -> SymbolAnswer {
    var fields = try fields()
    try field("step", &fields)
    let step: SandboxLayer = try choice()
    try field("errno", &fields)
    let errno = Int32(truncatingIfNeeded: try integer(in: 0...Int64(Int32.max)))
    try end(fields)
    return .refused(step: step, errno: errno)
  }

  fileprivate mutating func functions() throws(CBORError) -> [SymbolAnswer.Function?] {
    var functions: [SymbolAnswer.Function?] = []
    for _ in 0..<(try arrayCount(limit: SymbolRequest.maximumPlaces)) { functions.append(try function()) }
    return functions
  }

  private mutating func function() throws(CBORError) -> SymbolAnswer.Function? {
    if try nullIfNext() { return nil }
    let start = offset
    guard try arrayCount(limit: 2) == 2 else { throw CBORError(.outOfRange, at: start) }
    return SymbolAnswer.Function(name: try text(limit: SymbolAnswer.maximumName), start: try unsigned())
  }
}
