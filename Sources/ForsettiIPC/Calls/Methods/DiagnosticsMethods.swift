public import ForsettiCore

/// Methods of `DiagnosticsService`.
public enum DiagnosticsMethods {
  /// `emit(_:)`
  public static let emit = ServiceMethod<DiagnosticReport, Nothing>(.diagnostics, 1, "emit", .fixed(.emit))
  /// `events(_:)`
  public static let events = ServiceMethod<DiagnosticFilter, [DiagnosticReport]>(
    .diagnostics, 2, "events", .fixed(.consume))
  /// `export(_:format:)`
  public static let export = ServiceMethod<DiagnosticExport, Bytes>(
    .diagnostics, 3, "export", .fixed(.consume))

  static let all = [emit.info, events.info, export.info]
}

extension DiagnosticReport: CallListItem {
  /// Reports of one answer.
  public static var listLimit: Int { ProtocolLimits.reports }

  /// Writes `[source, category, severity, message, metadata, time]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 6)
    try writer.name(source)
    try writer.name(category)
    try writer.choice(severity)
    try writer.text(message, limit: ProtocolLimits.message)
    try writer.texts(byName: metadata)
    writer.integer(time)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(6)
    self.init(
      source: try reader.name(), category: try reader.name(), severity: try reader.choice(),
      message: try reader.text(limit: ProtocolLimits.message), metadata: try reader.textsByName(),
      time: try reader.integer())
  }

  /// What the parts take.
  public var sizeHint: Int {
    metadata.reduce(64 &+ source.utf8.count &+ category.utf8.count &+ message.utf8.count) {
      $0 &+ $1.key.utf8.count &+ $1.value.utf8.count &+ 6
    }
  }
}

extension DiagnosticFilter: CallValue {
  /// Writes `[source, category, atLeast, since, limit]`, null for no condition.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 5)
    try writer.optionalName(source)
    try writer.optionalName(category)
    try writer.optionalName(atLeast?.rawValue)
    if let since { writer.integer(since) } else { writer.null() }
    writer.integer(Int64(limit))
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(5)
    self.init(
      source: try reader.optionalName(), category: try reader.optionalName(),
      atLeast: try reader.nullIfNext() ? nil : try reader.choice(),
      since: try reader.nullIfNext() ? nil : try reader.integer(), limit: try Int(from: &reader))
  }
}

/// Which reports are wanted, and in which form.
public struct DiagnosticExport: CallValue, Hashable {
  /// Which.
  public var filter: DiagnosticFilter
  /// In which form.
  public var format: DiagnosticFormat

  /// Makes a value.
  public init(filter: DiagnosticFilter, format: DiagnosticFormat) {
    self.filter = filter
    self.format = format
  }

  /// Writes `[filter, format]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    try filter.encode(into: &writer)
    try writer.choice(format)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    filter = try DiagnosticFilter(from: &reader)
    format = try reader.choice()
  }
}
