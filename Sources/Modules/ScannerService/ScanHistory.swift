internal import ForsettiModuleKit

/// The latest scans that were accepted, oldest first.
struct ScanHistory: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    var reading: ScanReading
    /// The module that asked.
    var source: String
    /// Milliseconds since 1970, on the supervisor's clock.
    var time: Int64
  }

  private(set) var entries: [Entry] = []

  /// Scans that are kept.
  static let limit = 100
  private static let jsonLimits = JSONLimits(bytes: 1 << 20, depth: 4, arrayElements: limit)

  mutating func add(_ entry: Entry) {
    if entries.count == Self.limit { entries.removeFirst() }
    entries.append(entry)
  }

  /// The newest scans of one module, newest first: what others scan is none of its business.
  func latest(_ count: Int, of source: String) -> [Entry] {
    Array(entries.lazy.filter { $0.source == source }.suffix(max(0, count)).reversed())
  }

  /// As it is kept in storage.
  var text: String { JSONWriter.text(.array(entries.map(\.json))) }
}

extension ScanHistory {
  /// Reads what was kept.
  /// - Throws: where it is another text, or a scan in it would not be accepted today.
  init(text: String) throws(JSONFault) {
    let root = JSONCursor(try JSONParser.parse(Array(text.utf8), limits: Self.jsonLimits).root)
    for element in try root.array() { entries.append(try Entry(element)) }
  }
}

extension ScanHistory.Entry {
  /// As a member of a list.
  var json: JSONValue {
    .object([
      ("value", .string(reading.value)), ("symbology", .string(reading.symbology?.rawValue)),
      ("source", .string(source)), ("time", .integer(time)),
    ])
  }

  init(_ cursor: JSONCursor) throws(JSONFault) {
    let value = try cursor.required("value").string()
    let symbology = try cursor.optional("symbology")?.string()
    do throws(ScanRefusal) { reading = try ScanReading(value, symbology: symbology) } catch {
      throw cursor.fault(error.advice)
    }
    source = try cursor.required("source").string()
    time = try cursor.required("time").integer(in: 0...Int64.max)
  }
}
