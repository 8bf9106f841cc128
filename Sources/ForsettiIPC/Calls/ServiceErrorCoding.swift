public import ForsettiCore

// A `ServiceError` is an array: its number, then its parts. It is a frame's head, so texts are cut to fit one: a call
// that failed must not fail to say so.
extension ServiceError: CallValue {
  /// Writes the error.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    switch self {
    case .serviceDenied(let denial, let detail): try writer.error(1, denial.rawValue, detail)
    case .serviceUnavailable(let role, let why): try writer.error(2, role, why)
    case .moduleCrashed(let moduleID): try writer.error(3, moduleID)
    case .deadlineExceeded: try writer.error(4)
    case .cancelled: try writer.error(5)
    case .quotaExceeded(let what): try writer.error(6, what)
    case .rateLimited(let milliseconds):
      try writer.error(7, number: UInt64(milliseconds))
    case .invalidArgument(let name, let reason): try writer.error(8, name, reason)
    case .notFound(let what): try writer.error(9, what)
    case .tooLarge(let limit): try writer.error(10, number: limit)
    case .failed(let code, let message): try writer.error(11, code, message)
    case .moduleCommunicationDenied(let reason): try writer.error(12, reason)
    case .targetUnavailable(let moduleID): try writer.error(13, moduleID)
    }
  }

  /// Reads the error.
  public init(from reader: inout CBORReader) throws(CBORError) {
    let start = reader.offset
    let count = try reader.arrayCount(limit: 3)
    guard count > 0 else { throw CBORError(.inconsistent("an error without a number"), at: start) }
    let number = try reader.unsigned()
    guard let parts = Self.parts(number) else { throw CBORError(.outOfRange, at: start) }
    guard parts == count &- 1 else {
      throw CBORError(.inconsistent("\(count &- 1) parts where \(parts) are expected"), at: start)
    }
    switch number {
    case 1: self = .serviceDenied(try reader.choice(), detail: try reader.errorText())
    case 2: self = .serviceUnavailable(role: try reader.errorText(), why: try reader.errorText())
    case 3: self = .moduleCrashed(moduleID: try reader.errorText())
    case 4: self = .deadlineExceeded
    case 5: self = .cancelled
    case 6: self = .quotaExceeded(try reader.errorText())
    case 7:
      let milliseconds = try reader.integer(in: 0...Int64(UInt32.max))
      self = .rateLimited(retryAfterMilliseconds: UInt32(milliseconds))
    case 8: self = .invalidArgument(name: try reader.errorText(), reason: try reader.errorText())
    case 9: self = .notFound(try reader.errorText())
    case 10: self = .tooLarge(limit: try reader.unsigned())
    case 12: self = .moduleCommunicationDenied(reason: try reader.errorText())
    case 13: self = .targetUnavailable(moduleID: try reader.errorText())
    default: self = .failed(code: try reader.errorText(), message: try reader.errorText())
    }
  }

  /// How many parts follow each number.
  private static func parts(_ number: UInt64) -> Int? {
    switch number {
    case 4, 5: 0
    case 3, 6, 7, 9, 10, 12, 13: 1
    case 1, 2, 8, 11: 2
    default: nil
    }
  }

  /// Decodes the head of a `failure`.
  public static func decode(_ head: Span<UInt8>) throws(CBORError) -> ServiceError {
    var reader = CBORReader(head)
    let error = try ServiceError(from: &reader)
    try reader.finish()
    return error
  }
}

extension CBORWriter {
  fileprivate mutating func error(_ number: UInt64, _ texts: String...) throws(CBORError) {
    array(count: 1 + texts.count)
    unsigned(number)
    for text in texts { try self.text(ProtocolLimits.truncated(text, to: ProtocolLimits.errorText)) }
  }

  fileprivate mutating func error(_ number: UInt64, number value: UInt64) throws(CBORError) {
    array(count: 2)
    unsigned(number)
    unsigned(value)
  }
}

extension CBORReader {
  fileprivate mutating func errorText() throws(CBORError) -> String {
    try text(limit: ProtocolLimits.errorText)
  }
}
