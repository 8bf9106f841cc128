import ForsettiCore

/// Server-sent events (WHATWG HTML §9.2). JSON has no line breaks of its own, so one line holds any value.
enum EventText {
  /// A named event.
  static func event(_ name: String, _ value: JSONValue) -> [UInt8] {
    Array("event: \(name)\ndata: \(JSONWriter.text(value))\n\n".utf8)
  }

  /// What a browser passes over: shows that both ends are there.
  static let heartbeat = Array(": \n\n".utf8)
}
