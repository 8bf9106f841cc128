internal import ForsettiModuleKit

/// Some events that follow each other, as they lie under one key of the storage: a line of JSON for each.
struct EventSegment: Sendable, Equatable {
  private(set) var events: [LoggedEvent] = []
  private(set) var text = ""

  /// Events of one segment at most, and bytes: what is written anew for each event that is added.
  static let eventLimit = 100
  static let byteLimit = 48 << 10
  /// Every key begins with it.
  static let keyPrefix = "events."
  private static let lineLimits = JSONLimits(bytes: 64 << 10, depth: 3)
  private static let digits = 19

  /// Whether there is room for nothing more.
  var isFull: Bool { events.count >= Self.eventLimit || text.utf8.count >= Self.byteLimit }

  /// Adds the event that comes next.
  mutating func add(_ event: LoggedEvent) {
    events.append(event)
    text += JSONWriter.text(event.json) + "\n"
  }

  /// The key of a segment that begins with this event: keys sort as the events do.
  static func key(first number: Int64) -> String {
    keyPrefix + number.zeroPadded(to: digits)
  }

  /// The number that a key tells; nothing where it is none of ours.
  static func firstNumber(of key: String) -> Int64? {
    guard key.hasPrefix(keyPrefix) else { return nil }
    return Int64(
      key.utf8.dropFirst(keyPrefix.utf8.count).reduce(into: "") {
        $0.unicodeScalars.append(Unicode.Scalar($1))
      })
  }
}

extension EventSegment {
  /// Reads what was kept. A line that is none of ours is passed over: the others are worth having.
  init(text: String) {
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      guard let root = try? JSONParser.parse(Array(line), limits: Self.lineLimits).root,
        let event = try? LoggedEvent(JSONCursor(root))
      else { continue }
      add(event)
    }
  }
}

extension LoggedEvent {
  fileprivate var json: JSONValue {
    .object([("number", .integer(number))] + (report.json.members ?? []).map { ($0.key, $0.value) })
  }

  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    number = try cursor.required("number").integer(in: 1...Int64.max - 1)
    var metadata: [String: String] = [:]
    for member in try cursor.required("metadata").object() { metadata[member.key] = member.value.stringValue }
    report = DiagnosticReport(
      source: try cursor.required("source").string(), category: try cursor.required("category").string(),
      severity: try cursor.required("severity").oneOf(LogLevel.self, called: "a severity"),
      message: try cursor.required("message").string(), metadata: metadata,
      time: try cursor.required("time").integer(in: Int64.min...Int64.max))
  }
}

extension DiagnosticReport {
  /// As it is kept, and exported.
  var json: JSONValue {
    .object([
      ("time", .integer(time)), ("source", .string(source)), ("category", .string(category)),
      ("severity", .string(severity.rawValue)), ("message", .string(message)),
      ("metadata", .object(sortedMetadata.map { ($0.key, .string($0.value)) })),
    ])
  }

  /// By key.
  var sortedMetadata: [(key: String, value: String)] {
    metadata.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
