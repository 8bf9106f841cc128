import ForsettiCore

/// The chain of the audit log: each line carries the hash of the one before it and its own, so that a line that is changed,
/// taken out or put in shows. Pure: lines in, lines out.
struct AuditChain: Sendable, Hashable {
  /// Bytes of a line at most; an event is cut so that it fits.
  static let lineLimit = 32_768
  /// The largest number of a line: all that read JSON agree on it, and there is always a next one.
  private static let lastSequence: Int64 = 1 << 53
  /// What stands before the first line there ever was.
  static let origin = String(repeating: "0", count: 64)
  /// What comes before a line's own hash, which is over all before this.
  private static let mark = Array(",\"hash\":\"".utf8)
  private static let tail = Array("\"}".utf8)
  private static let limits = JSONLimits(bytes: lineLimit, depth: 3, stringBytes: lineLimit)

  /// The number of the last line; 0 before the first.
  private(set) var sequence = 0
  /// The hash of the last line.
  private(set) var hash = AuditChain.origin

  /// The next line, its end included.
  /// - Parameter time: milliseconds since 1970.
  mutating func append(_ event: AuditEvent, time: Int64) -> [UInt8] {
    sequence += 1
    var body = self.body(of: event, time: time)
    let rest = Self.mark.count + 64 + Self.tail.count
    if body.count + rest > Self.lineLimit {
      var short = AuditEvent(event.kind, actor: event.actor, details: ["cut": "true"])
      short.moduleID = event.moduleID.map { LogText.cut($0, limit: 256) }
      body = self.body(of: short, time: time)
    }
    hash = SHA256.hex(body)
    return body + Self.mark + Array(hash.utf8) + Self.tail + [UInt8(ascii: "\n")]
  }

  /// The line without its hash and its closing brace.
  private func body(of event: AuditEvent, time: Int64) -> [UInt8] {
    let details = LogText.sorted(event.details).map { pair in
      (
        LogText.cut(pair.key, limit: LogText.valueLimit),
        JSONValue.string(LogText.cut(pair.value, limit: LogText.valueLimit))
      )
    }
    var members: [(String, JSONValue)] = [
      ("seq", .integer(sequence)), ("time", .string(timestampText(time))),
      ("event", .string(event.kind.rawValue)), ("actor", .string(LogText.cut(event.actor, limit: 64))),
    ]
    if let moduleID = event.moduleID {
      members.append(("module", .string(LogText.cut(moduleID, limit: LogText.valueLimit))))
    }
    members += [("details", .object(details)), ("prev", .string(hash))]
    return Array(JSONWriter.bytes(.object(members)).dropLast())
  }

  /// Why a line does not continue the chain.
  enum Fault: Error, Sendable, Hashable {
    /// It is no line of an audit log.
    case malformed
    /// Its own hash is not the hash of what it says: it was changed.
    case changed
    /// It names another hash than that of the line before it: a line was taken out, put in, or replaced.
    case broken
    /// Its number does not follow.
    case gap(expected: Int, found: Int)
  }

  /// What a line says of itself.
  private struct Link {
    var sequence: Int
    var previous: String
    var hash: String
  }

  /// Takes a line for the next one.
  /// - Parameter line: without its end.
  mutating func follow(_ line: ArraySlice<UInt8>) throws(Fault) {
    let link = try Self.link(line)
    guard link.previous == hash else { throw .broken }
    guard link.sequence == sequence + 1 else { throw .gap(expected: sequence + 1, found: link.sequence) }
    (sequence, hash) = (link.sequence, link.hash)
  }

  /// Begins at a line whose forerunners are not here, because they were rotated away.
  init(at line: ArraySlice<UInt8>) throws(Fault) {
    let link = try Self.link(line)
    (sequence, hash) = (link.sequence, link.hash)
  }

  init() {}

  private static func link(_ line: ArraySlice<UInt8>) throws(Fault) -> Link {
    let suffix = mark.count + 64 + tail.count
    guard line.count > suffix, line.count <= lineLimit, line.suffix(tail.count).elementsEqual(tail) else {
      throw .malformed
    }
    let body = line.dropLast(suffix)
    let rest = line.suffix(suffix)
    guard rest.prefix(mark.count).elementsEqual(mark),
      let document = try? JSONParser.parse(Array(line), limits: limits),
      let sequence = document.root["seq"]?.integerValue, (1...lastSequence).contains(sequence),
      let previous = document.root["prev"]?.stringValue, let hash = document.root["hash"]?.stringValue,
      document.root["event"]?.stringValue != nil
    else { throw .malformed }
    guard hash == SHA256.hex(Array(body)) else { throw .changed }
    return Link(sequence: Int(sequence), previous: previous, hash: hash)
  }
}
