internal import ForsettiModuleKit

// How changes are kept. A change that was kept once must be read for ever, so names here are never changed.

extension DeploymentChange {
  /// As it is kept.
  var json: JSONValue {
    .object([
      ("time", .integer(time)), ("action", .string(action.rawValue)), ("subject", .string(subject)),
      ("detail", .string(detail)), ("edits", .array(edits.map(\.json))),
    ])
  }

  /// Reads what was kept.
  init(_ cursor: JSONCursor) throws(JSONFault) {
    time = try cursor.required("time").integer(in: CivilTime.bounds)
    action = try cursor.required("action").oneOf(Action.self, called: "an action")
    subject = try cursor.required("subject").string()
    detail = try cursor.required("detail").string()
    for edit in try cursor.required("edits").array() { edits.append(try DeploymentEdit(edit)) }
  }
}

extension DeploymentEdit {
  /// A record under the name of its kind.
  var json: JSONValue {
    switch self {
    case .device(let device): .object([("device", device.json)])
    case .exception(let exception): .object([("exception", exception.json)])
    case .layout(let layout): .object([("layout", layout.json)])
    case .layoutRemoved(let name): .object([("layoutRemoved", .string(name))])
    case .export(let export): .object([("export", export.json)])
    }
  }

  init(_ cursor: JSONCursor) throws(JSONFault) {
    if let device = try cursor.optional("device") {
      self = .device(try DeploymentDevice(device))
    } else if let exception = try cursor.optional("exception") {
      self = .exception(try DeploymentException(exception))
    } else if let layout = try cursor.optional("layout") {
      self = .layout(try DeploymentLayout(layout))
    } else if let name = try cursor.optional("layoutRemoved") {
      self = .layoutRemoved(try name.string())
    } else {
      self = .export(try DeploymentExport(try cursor.required("export")))
    }
  }
}

extension DeploymentDevice {
  var json: JSONValue {
    let details = details.sorted { $0.key.rawValue < $1.key.rawValue }
    return .object(omittingAbsent: [
      ("serial", .string(serial)), ("kind", .string(kind.rawValue)), ("status", .string(status.rawValue)),
      ("resume", resume.map { .string($0.rawValue) }), ("project", project.map { .string($0) }),
      ("business", .string(business.rawValue)), ("preload", .string(preload.rawValue)),
      ("serviceDesk", .string(serviceDesk.rawValue)), ("record", .string(record.rawValue)),
      ("received", .integer(received)), ("updated", .integer(updated)), ("version", .integer(version)),
      ("details", .object(details.map { ($0.key.rawValue, .string($0.value)) })),
    ])
  }

  init(_ cursor: JSONCursor) throws(JSONFault) {
    serial = try cursor.required("serial").string()
    kind = try cursor.required("kind").oneOf(Kind.self, called: "a kind of device")
    status = try cursor.required("status").oneOf(DeploymentStatus.self, called: "a status")
    resume = try cursor.optional("resume")?.oneOf(DeploymentStatus.self, called: "a status")
    project = try cursor.optional("project")?.string()
    business = try cursor.required("business").oneOf(Business.self, called: "a state")
    preload = try cursor.required("preload").oneOf(Preload.self, called: "a state")
    serviceDesk = try cursor.required("serviceDesk").oneOf(ServiceDesk.self, called: "a state")
    record = try cursor.required("record").oneOf(Record.self, called: "a state")
    received = try cursor.required("received").integer(in: CivilTime.bounds)
    updated = try cursor.required("updated").integer(in: CivilTime.bounds)
    version = Int(try cursor.required("version").integer(in: 1...Int64(Int32.max)))
    let texts = try cursor.required("details")
    for field in DeploymentField.allCases {
      details[field] = try texts.optional(field.rawValue)?.string()
    }
  }
}

extension DeploymentException {
  var json: JSONValue {
    .object([
      ("id", .string(id)), ("serial", .string(serial)), ("code", .string(code)),
      ("severity", .string(severity.rawValue)), ("state", .string(state.rawValue)),
      ("summary", .string(summary)), ("note", .string(note)),
    ])
  }

  init(_ cursor: JSONCursor) throws(JSONFault) {
    id = try cursor.required("id").string()
    serial = try cursor.required("serial").string()
    code = try cursor.required("code").string()
    severity = try cursor.required("severity").oneOf(Severity.self, called: "a severity")
    state = try cursor.required("state").oneOf(State.self, called: "a state")
    summary = try cursor.required("summary").string()
    note = try cursor.required("note").string()
  }
}

extension DeploymentLayout {
  var json: JSONValue {
    .object([("name", .string(name)), ("columns", .strings(columns.map(\.rawValue)))])
  }

  init(_ cursor: JSONCursor) throws(JSONFault) {
    name = try cursor.required("name").string()
    columns = try cursor.required("columns").listOf(DeploymentField.self, called: "a column")
  }
}

extension DeploymentExport {
  var json: JSONValue {
    .object([
      ("kind", .string(kind.rawValue)), ("scope", .string(scope)), ("version", .integer(version)),
      ("deviceCount", .integer(deviceCount)), ("fileName", .string(fileName)),
    ])
  }

  init(_ cursor: JSONCursor) throws(JSONFault) {
    kind = try cursor.required("kind").oneOf(Kind.self, called: "a kind of file")
    scope = try cursor.required("scope").string()
    version = Int(try cursor.required("version").integer(in: 1...Int64(Int32.max)))
    deviceCount = Int(try cursor.required("deviceCount").integer(in: 0...Int64(Int32.max)))
    fileName = try cursor.required("fileName").string()
  }
}
