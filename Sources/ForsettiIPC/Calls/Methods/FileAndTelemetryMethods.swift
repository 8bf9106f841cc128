import ForsettiCore

/// Methods of `FileExportService`.
public enum FileExportMethods {
  /// `export(_:suggestedFileName:)`
  public static let export = ServiceMethod<ExportRequest, String>(.fileExport, 1, "export", .fixed(.write))

  static let all = [export.info]
}

/// Methods of `TelemetryService`.
public enum TelemetryMethods {
  /// `track(_:properties:)`
  public static let track = ServiceMethod<NamedTexts, Nothing>(.telemetry, 1, "track", .fixed(.emit))

  static let all = [track.info]
}

/// A file for people.
public struct ExportRequest: CallValue, Hashable {
  /// What it might be called.
  public var suggestedFileName: String
  /// What it holds.
  public var data: [UInt8]

  /// Makes a request.
  public init(suggestedFileName: String, data: [UInt8]) {
    self.suggestedFileName = suggestedFileName
    self.data = data
  }

  /// Writes `[suggestedFileName, data]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    try writer.name(suggestedFileName)
    try writer.byteString(data)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    suggestedFileName = try reader.name()
    data = try reader.byteString(limit: FrameHeader.maximumPayload)
  }

  /// What the parts take.
  public var sizeHint: Int { 32 &+ suggestedFileName.utf8.count &+ data.count }
}

/// A text, and texts by name: a telemetry event, or an incident.
public struct NamedTexts: CallValue, Hashable {
  /// The event, or a summary.
  public var name: String
  /// Properties, or details.
  public var entries: [String: String]

  /// Makes a value.
  public init(_ name: String, _ entries: [String: String]) {
    self.name = name
    self.entries = entries
  }

  /// Writes `[name, entries]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    try writer.name(name)
    try writer.texts(byName: entries)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    name = try reader.name()
    entries = try reader.textsByName()
  }
}
