import ForsettiCore

/// What a person entered for a module. It travels in a payload, which nobody keeps: not the log, not a crash report.
public struct SecretRequest: CallValue, Hashable {
  /// Which secret of the policy it is.
  public var secretID: String
  /// The values by the IDs of their fields.
  public var values: [String: String]

  /// Makes a request.
  public init(secretID: String, values: [String: String]) {
    self.secretID = secretID
    self.values = values
  }

  /// Writes `[secretID, values]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    try writer.text(secretID, limit: SecretLimits.identifier)
    try writer.textMap(
      values, limit: SecretLimits.fields, keyLimit: SecretLimits.identifier,
      valueLimit: SecretLimits.valueBytes)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    secretID = try reader.text(limit: SecretLimits.identifier)
    values = try reader.textMap(
      limit: SecretLimits.fields, keyLimit: SecretLimits.identifier, valueLimit: SecretLimits.valueBytes)
  }
}

extension SecretRequest: CustomStringConvertible, CustomDebugStringConvertible {
  /// Its name alone: whoever prints a request prints no values.
  public var description: String { "secret \(secretID.quoted())" }
  /// The same.
  public var debugDescription: String { description }
}
