import ForsettiCore

/// Server-sent events (WHATWG HTML §9.2). JSON has no line breaks of its own, so one line holds any value.
enum EventText {
  /// A named event.
  static func event(_ name: String, _ value: JSONValue) -> [UInt8] {
    event(name, text: JSONWriter.bytes(value))
  }

  /// A named event of what is text of JSON already.
  static func event(_ name: String, text: [UInt8]) -> [UInt8] {
    Array("event: \(name)\ndata: ".utf8) + text + Array("\n\n".utf8)
  }

  /// What a browser passes over: shows that both ends are there.
  static let heartbeat = Array(": \n\n".utf8)
}
