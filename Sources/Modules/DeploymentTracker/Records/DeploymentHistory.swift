internal import ForsettiModuleKit

/// What other systems would have said and taken before the demo begins. It is made up as the rest is, and never changes.
struct DeploymentHistory: Sendable, Hashable {
  /// What Apple Business said of a device.
  struct BusinessRecord: Sendable, Hashable {
    var serial: String
    var partNumber: String
    var order: String
    /// The device management service that it is assigned to; nothing where it is to none.
    var server: String?
    var answer: DeploymentDevice.Business
    /// Milliseconds since 1970.
    var time: Int64
  }

  /// A device as it stands in Jamf Pro's inventory preload.
  struct PreloadRecord: Sendable, Hashable {
    var serial: String
    /// `Computer` or `Mobile Device`.
    var type: String
    var username: String
    var email: String
    var department: String
    var building: String
  }

  /// A file that was handed over.
  struct Handover: Sendable, Hashable {
    enum State: String, CaseIterable, Sendable {
      case submitted, failed, reconciled, exported
    }

    /// `PRE-0001` and on, `SD-JOB-01` and on.
    var id: String
    var project: String
    /// Milliseconds since 1970.
    var time: Int64
    var state: State
    /// Serial numbers.
    var devices: [String]
    /// Why it failed.
    var note = ""
  }

  /// A model that can be ordered.
  struct CatalogueEntry: Sendable, Hashable {
    var kind: DeploymentDevice.Kind
    var model: DeploymentSeedLists.Model
  }

  var business: [BusinessRecord] = []
  var preloads: [PreloadRecord] = []
  var submissions: [Handover] = []
  var serviceDeskJobs: [Handover] = []
  var catalogue: [CatalogueEntry] = []

  /// The preload records of a serial number, or all of them.
  func preloads(of serial: String) -> [PreloadRecord] {
    let wanted = DeploymentDevice.normalised(serial)
    return wanted.isEmpty ? preloads : preloads.filter { $0.serial == wanted }
  }
}

// MARK: - In the records package

extension DeploymentHistory.BusinessRecord {
  var json: JSONValue {
    .object([
      ("serial", .string(serial)), ("partNumber", .string(partNumber)), ("order", .string(order)),
      ("server", .string(server)), ("answer", .string(answer.rawValue)),
      ("time", .string(timestampText(time))),
    ])
  }
}

extension DeploymentHistory.PreloadRecord {
  var json: JSONValue {
    .object([
      ("serial", .string(serial)), ("type", .string(type)), ("username", .string(username)),
      ("email", .string(email)), ("department", .string(department)), ("building", .string(building)),
    ])
  }
}

extension DeploymentHistory.Handover {
  var json: JSONValue {
    .object([
      ("id", .string(id)), ("project", .string(project)), ("time", .string(timestampText(time))),
      ("state", .string(state.rawValue)), ("devices", .strings(devices)), ("note", .string(note)),
    ])
  }
}

extension DeploymentHistory.CatalogueEntry {
  var json: JSONValue {
    .object([
      ("kind", .string(kind.rawValue)), ("model", .string(model.name)),
      ("partNumber", .string(model.partNumber)),
    ])
  }
}
