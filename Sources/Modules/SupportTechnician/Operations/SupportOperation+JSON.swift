internal import ForsettiModuleKit

// As it is kept in storage.
extension SupportOperation {
  var text: String {
    var detail: String?
    switch state {
    case .following(let uuid): detail = uuid
    case .failed(let why), .uncertain(let why): detail = why
    case .sending, .accepted, .done, .timedOut: break
    }
    return JSONWriter.text(
      .object(omittingAbsent: [
        ("order", .string(order.word)), ("device", .string(device.text)), ("name", .string(deviceName)),
        ("hasTicket", .bool(hasTicket)), ("note", note.map { .string($0) }), ("begun", .integer(begun)),
        ("state", .string(word)),
        ("detail", detail.map { .string($0) }), ("waits", .integer(waits)),
      ]))
  }

  /// Reads what was kept under an ID.
  /// - Throws: where it is another text.
  init(id: String, text: String) throws(JSONFault) {
    let limits = JSONLimits(bytes: 16_384, depth: 4)
    let root = JSONCursor(try JSONParser.parse(Array(text.utf8), limits: limits).root)
    let device = try root.required("device")
    guard let deviceID = SupportDeviceID(text: try device.string()) else {
      throw device.fault("a kind and an ID are expected")
    }
    let wanted = try root.required("order")
    guard let order = SupportOrder(word: try wanted.string()) else { throw wanted.fault("this is no order") }
    let detail = try root.optional("detail")?.string() ?? ""
    let word = try root.required("state")
    let state: State
    switch try word.string() {
    case "sending": state = .sending
    case "following":
      guard let uuid = SupportText.uuid(detail) else {
        throw word.fault("the UUID of its command is missing")
      }
      state = .following(uuid: uuid)
    case "accepted": state = .accepted
    case "done": state = .done
    case "failed": state = .failed(detail)
    case "timed-out": state = .timedOut
    case "uncertain": state = .uncertain(detail)
    default: throw word.fault("this is no state")
    }
    self.init(
      id: id, order: order,
      device: deviceID, deviceName: try root.required("name").string(),
      hasTicket: try root.required("hasTicket").bool(), note: try root.optional("note")?.string(),
      begun: try root.required("begun").integer(in: 0...Int64.max), state: state,
      waits: Int(try root.required("waits").integer(in: 0...Int64(Self.waitLimit))))
  }
}
