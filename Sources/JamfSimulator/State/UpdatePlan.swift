import ForsettiCore

/// A plan to update one device, and what becomes of it. Nothing runs: where it stands follows from when it was made.
struct UpdatePlan: Sendable {
  enum Action: String, Sendable, CaseIterable {
    case downloadOnly = "DOWNLOAD_ONLY"
    case install = "DOWNLOAD_INSTALL"
    case allowDeferral = "DOWNLOAD_INSTALL_ALLOW_DEFERRAL"
    case restart = "DOWNLOAD_INSTALL_RESTART"
    case schedule = "DOWNLOAD_INSTALL_SCHEDULE"
  }

  enum VersionType: String, Sendable, CaseIterable {
    case latestMajor = "LATEST_MAJOR"
    case latestMinor = "LATEST_MINOR"
    case latestAny = "LATEST_ANY"
    case specific = "SPECIFIC_VERSION"
    case custom = "CUSTOM_VERSION"
  }

  /// What is to be done.
  struct Config: Sendable {
    var action: Action
    var version: VersionType
    /// How often the user may put it off.
    var deferrals: Int64?

    init(_ body: JSONCursor) throws(JSONFault) {
      action = try body.required("updateAction").oneOf(Action.self, called: "an action")
      version = try body.required("versionType").oneOf(VersionType.self, called: "a kind of version")
      deferrals = try body.optional("maxDeferrals")?.integer(in: 0...Int64(Int32.max))
    }
  }

  var uuid: String
  var clientType: MDMCommand.ClientType
  /// ID of the device in its inventory.
  var device: Int
  var config: Config
  /// Milliseconds since 1970.
  var made: Int64

  /// Milliseconds until a device has done it, or says that it can't.
  static let duration: Int64 = 60_000

  private func state(at now: Int64) -> String {
    if now < made + MDMCommand.answerTime { return "Init" }
    if MDMCommand.Fate(device: device) == .fails { return "PlanFailed" }
    return now < made + Self.duration ? "StartingPlan" : "PlanCompleted"
  }

  private var deviceJSON: JSONValue {
    let path = clientType == .computer ? "computers-inventory" : "mobile-devices"
    return .object([
      ("deviceId", RecordJSON.id(device)), ("objectType", .string(clientType.rawValue)),
      ("href", .string("/v1/\(path)/\(device)")),
    ])
  }

  /// What is answered to whoever made it.
  var reference: JSONValue {
    .object([
      ("device", deviceJSON), ("planId", .string(uuid)),
      ("href", .string("/v1/managed-software-updates/plans/\(uuid)")),
    ])
  }

  func json(at now: Int64) -> JSONValue {
    let state = state(at: now)
    return .object([
      ("planUuid", .string(uuid)), ("device", deviceJSON), ("updateAction", .string(config.action.rawValue)),
      ("versionType", .string(config.version.rawValue)), ("specificVersion", .string("NO_SPECIFIC_VERSION")),
      ("maxDeferrals", .integer(config.deferrals ?? 0)), ("forceInstallLocalDateTime", .null),
      ("recipeId", .string("-1")),
      (
        "status",
        .object([
          ("state", .string(state)),
          ("errorReasons", .strings(state == "PlanFailed" ? ["DEVICE_NOT_ELIGIBLE"] : [])),
        ])
      ),
    ])
  }
}

/// The plans that were made, oldest first.
struct UpdatePlanBook: Sendable {
  private(set) var plans: [UpdatePlan] = []
  private var made = 0
  private let seed: UInt64

  /// So many are kept.
  static let limit = 10_000

  init(seed: UInt64) { self.seed = seed }

  mutating func make(
    _ client: MDMCommand.ClientType, _ device: Int, _ config: UpdatePlan.Config, now: Int64
  ) -> UpdatePlan {
    made += 1
    var dice = Dice(seed: seed, .plan, made)
    let plan = UpdatePlan(uuid: dice.uuid(), clientType: client, device: device, config: config, made: now)
    if plans.count == Self.limit { plans.removeFirst() }
    plans.append(plan)
    return plan
  }
}
