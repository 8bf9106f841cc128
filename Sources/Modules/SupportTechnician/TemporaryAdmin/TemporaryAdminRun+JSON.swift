internal import ForsettiModuleKit

// As it is kept in storage, so that a crash leaves no Mac in a group.
extension TemporaryAdminRun {
  var text: String {
    let (word, detail): (String, JSONValue?) =
      switch state {
      case .requesting: ("requesting", nil)
      case .waiting: ("waiting", nil)
      case .elevated(let until): ("elevated", until.map { .integer($0) })
      case .alreadyAdmin: ("already-admin", nil)
      case .demoted: ("demoted", nil)
      case .timedOut: ("timed-out", nil)
      case .failed(let why): ("failed", .string(why))
      }
    return JSONWriter.text(
      .object(omittingAbsent: [
        ("id", .string(id)), ("device", .string(device.text)), ("name", .string(deviceName)),
        ("minutes", minutes.map { .integer($0) }),
        ("group", .string(group)), ("requested", .integer(requested)), ("deadline", .integer(deadline)),
        ("cleansUpAfterTimeout", .bool(cleansUpAfterTimeout)), ("state", .string(word)), ("detail", detail),
        ("leaving", .strings(leaving)),
        ("late", .object(lost.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })),
        ("asked", asked.map { .integer($0) }),
        ("cleanupFault", cleanupFault.map { .string($0) }),
      ]))
  }

  /// Reads what was kept.
  /// - Throws: where it is another text.
  init(text: String) throws(JSONFault) {
    let root = JSONCursor(
      try JSONParser.parse(Array(text.utf8), limits: JSONLimits(bytes: 16_384, depth: 4)).root)
    let (device, group) = (try root.required("device"), try root.required("group"))
    guard let deviceID = SupportDeviceID(text: try device.string()) else {
      throw device.fault("a kind and an ID are expected")
    }
    let groupID = try Self.group(group)
    let time = 0...Int64.max
    self.init(
      id: try root.optional("id")?.string() ?? deviceID.text, device: deviceID,
      deviceName: try root.required("name").string(),
      minutes: try root.optional("minutes").map { (minutes) throws(JSONFault) in
        Int(try minutes.integer(in: 1...1_440))
      },
      group: groupID, requested: try root.required("requested").integer(in: time),
      deadline: try root.required("deadline").integer(in: time),
      cleansUpAfterTimeout: try root.required("cleansUpAfterTimeout").bool(),
      state: try Self.state(root), leaving: try Self.leaving(root, groupID), lost: try Self.lost(root),
      asked: try root.optional("asked")?.integer(in: time),
      cleanupFault: try root.optional("cleanupFault")?.string())
  }

  private static func leaving(_ root: JSONCursor, _ own: String) throws(JSONFault) -> [String] {
    guard let list = try root.optional("leaving") else {
      // As it was kept when a Mac had but one group to leave.
      return try root.required("needsCleanup").bool() ? [own] : []
    }
    var groups: [String] = []
    for element in try list.array() { groups.append(try group(element)) }
    return groups
  }

  /// Nothing where an earlier version kept it.
  private static func lost(_ root: JSONCursor) throws(JSONFault) -> [String: Int64] {
    guard let place = try root.optional("late") else { return [:] }
    var lost: [String: Int64] = [:]
    for member in try place.object() {
      lost[member.key] = try place.required(member.key).integer(in: 0...Int64.max)
    }
    return lost
  }

  private static func group(_ cursor: JSONCursor) throws(JSONFault) -> String {
    guard let id = SupportText.inventoryID(try cursor.string()) else {
      throw cursor.fault("the ID of a group is expected")
    }
    return id
  }

  private static func state(_ root: JSONCursor) throws(JSONFault) -> State {
    let word = try root.required("state")
    switch try word.string() {
    case "requesting": return .requesting
    case "waiting": return .waiting
    case "elevated": return .elevated(until: try root.optional("detail")?.integer(in: 0...Int64.max))
    case "already-admin": return .alreadyAdmin
    case "demoted": return .demoted
    case "timed-out": return .timedOut
    case "failed": return .failed(try root.required("detail").string())
    default: throw word.fault("this is no state")
    }
  }
}
