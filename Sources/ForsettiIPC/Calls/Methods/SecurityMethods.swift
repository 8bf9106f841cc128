public import ForsettiCore

/// Methods of `SecurityService`.
public enum SecurityMethods {
  /// `grants()`
  public static let grants = ServiceMethod<Nothing, [Capability]>(.security, 1, "grants", .fixed(.read))
  /// `decision(_:)`
  public static let decision = ServiceMethod<Capability, SecurityDecision>(
    .security, 2, "decision", .fixed(.read))
  /// `reportIncident(_:details:)`
  public static let reportIncident = ServiceMethod<NamedTexts, Nothing>(
    .security, 3, "reportIncident", .fixed(.write))

  static let all = [grants.info, decision.info, reportIncident.info]
}

extension SecurityDecision: CallValue {
  /// Writes `[isGranted, reason]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    writer.bool(isGranted)
    try writer.name(reason)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    self.init(isGranted: try reader.bool(), reason: try reader.name())
  }
}
