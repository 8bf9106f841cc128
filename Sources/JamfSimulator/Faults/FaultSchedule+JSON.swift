public import ForsettiCore

extension FaultSchedule {
  private static let keys = ["method", "path", "after", "times", "fault"]
  private static let limits = JSONLimits(bytes: 65_536, depth: 4, stringBytes: 1_024, arrayElements: limit)

  /// Reads a schedule: `{"faults": [{"path": "/api/v3/*", "fault": "status", "status": 503, "times": 2}]}`.
  /// docs/jamf-simulator.md names the members of a rule.
  public static func decode(_ bytes: [UInt8]) throws(JSONFault) -> FaultSchedule {
    let document = try JSONParser.parse(bytes, limits: limits)
    do throws(JSONFault) { return try decode(JSONCursor(document.root)) } catch {
      throw document.locating(error)
    }
  }

  private static func decode(_ root: JSONCursor) throws(JSONFault) -> FaultSchedule {
    if let stray = root.unknownMembers(besides: ["faults"]).first {
      throw root.unknownKey(stray, besides: ["faults"])
    }
    var rules: [FaultRule] = []
    for rule in try root.required("faults").array() { rules.append(try self.rule(rule)) }
    return FaultSchedule(rules)
  }

  private static func rule(_ cursor: JSONCursor) throws(JSONFault) -> FaultRule {
    let kind = try cursor.required("fault").oneOf(FaultKind.self, called: "a fault")
    let known = keys + kind.members
    if let stray = cursor.unknownMembers(besides: known).first {
      throw cursor.unknownKey(stray, besides: known)
    }
    return FaultRule(
      method: try cursor.optional("method")?.string(), path: try cursor.required("path").string(),
      after: try number(cursor, "after", 0...1_000_000) ?? 0,
      times: try number(cursor, "times", 0...1_000_000) ?? 1, fault: try fault(kind, cursor))
  }

  private static func fault(_ kind: FaultKind, _ cursor: JSONCursor) throws(JSONFault) -> Fault {
    switch kind {
    case .status:
      let status = try cursor.required("status").integer(in: 400...599)
      return .status(Int(status), retryAfter: try number(cursor, "retryAfter", 0...86_400))
    case .slow: return .slow(milliseconds: Int(try cursor.required("milliseconds").integer(in: 1...600_000)))
    case .cut: return .cut(bytes: Int(try cursor.required("bytes").integer(in: 0...1_000_000)))
    case .wrongJSON: return .wrongJSON
    case .html: return .html
    case .duplicatePage: return .duplicatePage
    case .changingTotal: return .changingTotal(by: try number(cursor, "by", -1_000...1_000) ?? 1)
    }
  }

  private static func number(
    _ cursor: JSONCursor, _ key: String, _ range: ClosedRange<Int64>
  ) throws(JSONFault) -> Int? {
    try cursor.optional(key).map { (member) throws(JSONFault) in Int(try member.integer(in: range)) }
  }
}

/// The names of faults in a schedule, and what each says beside the common members.
private enum FaultKind: String, CaseIterable {
  case status, slow, cut, wrongJSON, html, duplicatePage, changingTotal

  var members: [String] {
    switch self {
    case .status: ["status", "retryAfter"]
    case .slow: ["milliseconds"]
    case .cut: ["bytes"]
    case .changingTotal: ["by"]
    case .wrongJSON, .html, .duplicatePage: []
    }
  }
}
