internal import ForsettiModuleKit

/// What was confirmed: devices that leave their PreStages, and the one they go to, if any.
struct ScopeJob: Sendable, Equatable {
  /// The devices that come from one PreStage.
  struct Part: Sendable, Equatable {
    let prestage: PrestageReference
    /// Sorted, each once.
    let serials: [String]
  }

  /// Where the devices are, sorted by ID; each PreStage once.
  let sources: [Part]
  /// Nothing for a removal. Never one of the sources.
  let destination: PrestageReference?

  var serials: [String] { sources.flatMap(\.serials) }
  var prestages: [PrestageReference] { sources.map(\.prestage) + (destination.map { [$0] } ?? []) }

  /// What it does, as words: "the move of 3 devices to Kiosk".
  var title: String {
    let devices = Self.devices(serials.count)
    return destination.map { "the move of \(devices) to \($0.name)" }
      ?? "the removal of \(devices) from PreStages"
  }

  static func devices(_ count: Int) -> String { count == 1 ? "1 device" : "\(count) devices" }
}

// MARK: - In the journal

extension ScopeJob {
  var json: JSONValue {
    .object(omittingAbsent: [
      (
        "sources",
        .array(sources.map { .object([("prestage", $0.prestage.json), ("serials", .strings($0.serials))]) })
      ),
      ("destination", destination?.json),
    ])
  }

  init(_ cursor: JSONCursor) throws(JSONFault) {
    var parts: [Part] = []
    for element in try cursor.required("sources").array() {
      var serials: [String] = []
      for text in try element.required("serials").array() {
        guard let serial = SerialNumbers.normalised(try text.string()) else {
          throw text.fault("a serial number is expected")
        }
        serials.append(serial)
      }
      parts.append(Part(prestage: try PrestageReference(element.required("prestage")), serials: serials))
    }
    guard !parts.isEmpty else { throw cursor.fault("a job has at least one source") }
    sources = parts
    destination = try cursor.optional("destination").map { (place) throws(JSONFault) in
      try PrestageReference(place)
    }
  }
}

extension PrestageReference {
  var json: JSONValue { .object([("id", .string(id)), ("name", .string(name))]) }

  init(_ cursor: JSONCursor) throws(JSONFault) {
    let id = try cursor.required("id")
    guard let reference = PrestageReference(id: try id.string(), name: try cursor.required("name").string())
    else { throw id.fault("the ID of a PreStage is expected") }
    self = reference
  }
}
