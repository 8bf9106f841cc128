import ForsettiCore

/// Lines for people: `time LEVEL [module=<id> key=value] message`; a module's own words follow a `> `.
public struct TextLogSink: LogSink {
  private let output: LogOutput
  private let isColoured: Bool

  /// Makes a sink.
  ///
  /// - Parameter isColoured: for a terminal alone.
  public init(_ output: LogOutput, isColoured: Bool) {
    self.output = output
    self.isColoured = isColoured
    output.setDropNotice { Self.line($0, isColoured: isColoured) }
  }

  /// Writes one line.
  public func write(_ record: LogRecord) {
    output.append(Self.line(record, isColoured: isColoured), urgent: record.level == .error)
  }

  static func line(_ record: LogRecord, isColoured: Bool) -> [UInt8] {
    var line: [UInt8] = []
    let time = timestampText(record.time)
    let level = record.level.rawValue
    let padding = String(repeating: " ", count: max(0, 7 - level.utf8.count))
    if isColoured {
      line += "\u{1B}[2m\(time)\u{1B}[0m \(colour(record.level))\(level)\u{1B}[0m\(padding) ".utf8
    } else {
      line += "\(time) \(level)\(padding) ".utf8
    }
    appendBracket(record, to: &line)
    if record.origin == .module { line += "> ".utf8 }
    LogText.appendEscaped(record.message, limit: LogText.messageLimit, to: &line)
    line.append(UInt8(ascii: "\n"))
    return line
  }

  private static func appendBracket(_ record: LogRecord, to line: inout [UInt8]) {
    guard record.moduleID != nil || !record.metadata.isEmpty else { return }
    line.append(UInt8(ascii: "["))
    if let moduleID = record.moduleID {
      line += "module=".utf8
      LogText.appendValue(moduleID, to: &line)
    }
    for (index, pair) in LogText.sorted(record.metadata).enumerated() {
      if index > 0 || record.moduleID != nil { line.append(UInt8(ascii: " ")) }
      LogText.appendKey(pair.key, to: &line)
      line.append(UInt8(ascii: "="))
      LogText.appendValue(pair.value, to: &line)
    }
    line += "] ".utf8
  }

  private static func colour(_ level: LogLevel) -> String {
    switch level {
    case .debug: "\u{1B}[2m"
    case .info: "\u{1B}[32m"
    case .warning: "\u{1B}[33m"
    case .error: "\u{1B}[1;31m"
    }
  }
}

/// Lines for programs: one JSON object each, with `time`, `level`, `origin`, `module`, `message`, `metadata`.
public struct JSONLogSink: LogSink {
  private let output: LogOutput

  /// Makes a sink.
  public init(_ output: LogOutput) {
    self.output = output
    output.setDropNotice(Self.line)
  }

  /// Writes one line.
  public func write(_ record: LogRecord) {
    output.append(Self.line(record), urgent: record.level == .error)
  }

  static func line(_ record: LogRecord) -> [UInt8] {
    func member(_ key: String, _ text: String) -> JSONMember {
      JSONMember(key: key, value: JSONValue(.string(LogText.cut(text, limit: LogText.messageLimit))))
    }
    var members = [
      member("time", timestampText(record.time)), member("level", record.level.rawValue),
      member("origin", record.origin.rawValue),
    ]
    if let moduleID = record.moduleID { members.append(member("module", moduleID)) }
    members.append(member("message", record.message))
    if !record.metadata.isEmpty {
      let pairs = LogText.sorted(record.metadata).map { pair in
        JSONMember(
          key: LogText.cut(pair.key, limit: LogText.valueLimit),
          value: JSONValue(.string(LogText.cut(pair.value, limit: LogText.valueLimit))))
      }
      members.append(JSONMember(key: "metadata", value: JSONValue(.object(pairs))))
    }
    return JSONWriter.bytes(JSONValue(.object(members))) + [UInt8(ascii: "\n")]
  }
}

extension LogRecord {
  /// The line for people, safe for a terminal, with its line end.
  public func textLine(isColoured: Bool) -> [UInt8] { TextLogSink.line(self, isColoured: isColoured) }

  /// The line for programs, with its line end.
  public var jsonLine: [UInt8] { JSONLogSink.line(self) }
}
