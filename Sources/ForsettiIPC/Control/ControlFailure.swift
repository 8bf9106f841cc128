/// Why something that was asked over the control socket came to nothing; it travels in the head of a `failure`.
public struct ControlFailure: Error, Sendable, Hashable {
  /// What a program tells apart.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// Whoever asks has no right to this.
    case denied
    /// Too many connections, or too many calls on this one.
    case busy
    /// The two ends speak no version in common.
    case version
    /// The bytes are no frame, or no message of this protocol; the connection ends.
    case malformed
    /// There is no such operation.
    case unknownOperation
    /// The request is not what the operation takes.
    case invalidRequest
    /// It took longer than the caller waits.
    case deadlineExceeded
    /// It was tried, and did not work.
    case failed
  }

  /// What kind of failure it is.
  public var code: Code
  /// The exit status of sysexits.h that a command ends with.
  public var status: Int32
  /// One line: what, where, and the way out.
  public var message: String
  /// Further findings, one line each; at most `detailLimit`.
  public var details: [String]

  /// Bytes that each text keeps.
  public static let textLimit = 1024
  /// Details that are kept, so that a failure fits its head.
  static let detailLimit = 2

  /// Makes a failure; texts are cut to fit a head.
  public init(_ code: Code, status: Int32, _ message: String, details: [String] = []) {
    self.code = code
    self.status = status
    self.message = ProtocolLimits.truncated(message, to: Self.textLimit)
    self.details = details.prefix(Self.detailLimit).map {
      ProtocolLimits.truncated($0, to: Self.textLimit)
    }
  }
}

extension ControlFailure {
  func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.map(count: 4)
    writer.key("code")
    try writer.choice(code)
    writer.key("status")
    writer.integer(Int64(status))
    writer.key("details")
    writer.array(count: details.count)
    for detail in details { try writer.text(detail, limit: Self.textLimit) }
    writer.key("message")
    try writer.text(message, limit: Self.textLimit)
  }

  init(from reader: inout CBORReader) throws(CBORError) {
    var fields = try reader.fields()
    let code: Code = try reader.choice("code", &fields)
    try reader.field("status", &fields)
    let status = Int32(try reader.integer(in: 0...255))
    try reader.field("details", &fields)
    var details: [String] = []
    for _ in 0..<(try reader.arrayCount(limit: Self.detailLimit)) {
      details.append(try reader.text(limit: Self.textLimit))
    }
    try reader.field("message", &fields)
    let message = try reader.text(limit: Self.textLimit)
    try reader.end(fields)
    self.init(code, status: status, message, details: details)
  }
}
