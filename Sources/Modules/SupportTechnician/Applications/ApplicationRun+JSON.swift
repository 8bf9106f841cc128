internal import ForsettiModuleKit

// As it is kept in storage, so that a crash leaves nothing in Jamf that nobody deletes.
extension ApplicationRun {
  var text: String {
    var detail: JSONValue?
    if case .failed(let why) = state { detail = .string(why) }
    return JSONWriter.text(
      .object(omittingAbsent: [
        ("verb", .string(order.verb.rawValue)), ("application", .string(order.application)),
        ("device", .string(device.text)), ("name", .string(deviceName)), ("begun", .integer(begun)),
        ("state", .string(title)), ("detail", detail), ("script", script.map { .string($0) }),
        ("policy", policy.map { .string($0) }), ("isOld", .bool(isOld)),
      ]))
  }

  /// Reads what was kept under an ID.
  /// - Throws: where it is another text.
  init(id: String, text: String) throws(JSONFault) {
    let root = JSONCursor(
      try JSONParser.parse(Array(text.utf8), limits: JSONLimits(bytes: 16_384, depth: 4)).root)
    let (device, name) = (try root.required("device"), try root.required("application"))
    guard let deviceID = SupportDeviceID(text: try device.string()) else {
      throw device.fault("a kind and an ID are expected")
    }
    guard ApplicationOrder.isName(try name.string()) else { throw name.fault("this is no name") }
    let verb = try root.required("verb").oneOf(ApplicationOrder.Verb.self, called: "a verb")
    self.init(
      id: id, order: ApplicationOrder(verb, try name.string()), device: deviceID,
      deviceName: try root.required("name").string(),
      begun: try root.required("begun").integer(in: 0...Int64.max), state: try Self.state(root),
      script: try Self.id(root, "script"), policy: try Self.id(root, "policy"),
      isOld: try root.required("isOld").bool())
  }

  private static func id(_ root: JSONCursor, _ key: String) throws(JSONFault) -> String? {
    guard let cursor = try root.optional(key) else { return nil }
    guard let id = SupportText.inventoryID(try cursor.string()) else {
      throw cursor.fault("an ID is expected")
    }
    return id
  }

  private static func state(_ root: JSONCursor) throws(JSONFault) -> State {
    let word = try root.required("state")
    switch try word.string() {
    case "preparing": return .preparing
    case "waiting": return .waiting
    case "done": return .done
    case "failed": return .failed(try root.required("detail").string())
    case "late": return .late
    default: throw word.fault("this is no state")
    }
  }
}
