internal import ForsettiModuleKit

/// The data that the demo begins with: made up, and the same on every machine.
enum DeploymentSeed {
  /// What the data are called; other data get another name.
  static let version = "deployment-tracker-demo-seed-v1"
  /// The moment that they are of, in milliseconds since 1970: 2026-05-12T00:00:00Z.
  static let time: Int64 = 1_778_544_000_000

  /// Lines of the audit that they begin with.
  static let auditCount = 54

  private static let families: [(kind: DeploymentDevice.Kind, band: String, count: Int)] = [
    (.mac, "MAC", 53), (.iPad, "IPAD", 43), (.iPhone, "IPHONE", 24),
  ]
  private static let hour: Int64 = 3_600_000

  /// All of it, with its audit trail.
  static func state() -> DeploymentState {
    var random = SplitMix64(seed: 0x0000_DE40_0001)
    var devices: [DeploymentDevice] = []
    for family in families {
      for number in 1...family.count {
        devices.append(device(family.kind, band: family.band, number, place: devices.count, &random))
      }
    }
    var state = DeploymentState(
      devices: devices, projects: DeploymentSeedLists.projects, exceptions: exceptions(devices),
      history: history(of: devices))
    for change in steps(of: devices) { state.apply(change) }
    return state
  }

  private static func device(
    _ kind: DeploymentDevice.Kind, band: String, _ number: Int, place: Int, _ random: inout SplitMix64
  ) -> DeploymentDevice {
    // The first devices show every status; most of the others stand on the main line.
    let statuses = DeploymentStatus.allCases
    let onLine = DeploymentStatus.mainLine[
      Int.random(in: 0..<DeploymentStatus.mainLine.count, using: &random)]
    let status = place < statuses.count ? statuses[place] : onLine
    let received = time - Int64.random(in: 72...1_440, using: &random) * hour
    var device = DeploymentDevice(
      serial: "DEMO-\(band)-\(number.zeroPadded(to: 4))", kind: kind, status: status,
      resume: status.isAside ? .configurationPending : nil,
      received: received, updated: time - Int64.random(in: 1...71, using: &random) * hour)
    describe(&device, place: place, &random)
    let reached = status.isAside ? .configurationPending : status
    bring(&device, to: DeploymentStatus.mainLine.firstIndex(of: reached) ?? rank(of: reached), place: place)
    if status.needsReason { device.details[.statusReason] = "Demo: \(status.title.lowercased())" }
    if status == .retired { device.record = .archived }
    return device
  }

  /// How far along the main line a device came that is not on it.
  private static func rank(of status: DeploymentStatus) -> Int {
    let last: DeploymentStatus =
      switch status {
      case .businessException: .businessPending
      case .qaFailed: .qaPending
      case .returned: .shipped
      default: .received
      }
    return DeploymentStatus.mainLine.firstIndex(of: last) ?? 0
  }

  /// What a device is and whom it is for.
  private static func describe(_ device: inout DeploymentDevice, place: Int, _ random: inout SplitMix64) {
    let models = DeploymentSeedLists.models(of: device.kind)
    let model = models[Int.random(in: 0..<models.count, using: &random)]
    func pick(_ list: [String]) -> String { list[Int.random(in: 0..<list.count, using: &random)] }
    device.details = [
      .model: model.name, .partNumber: model.partNumber, .storage: pick(["256 GB", "512 GB", "1 TB"]),
      .assetTag: "DEMO-\((10_001 + place).zeroPadded(to: 5))", .region: pick(DeploymentSeedLists.regions),
      .location: pick(DeploymentSeedLists.locations), .department: pick(DeploymentSeedLists.departments),
      .vendor: pick(DeploymentSeedLists.vendors),
      .purchaseOrder: "DEMO-PO-\((1 + place / 12).zeroPadded(to: 3))",
      .assignedUser: "Demo User \((place + 1).zeroPadded(to: 3))",
      .email: "demo.user\((place + 1).zeroPadded(to: 3))@example.invalid",
    ]
  }

  /// What the steps up to a place on the main line have found.
  private static func bring(_ device: inout DeploymentDevice, to rank: Int, place: Int) {
    func hasReached(_ status: DeploymentStatus) -> Bool {
      (DeploymentStatus.mainLine.firstIndex(of: status) ?? 0) <= rank
    }
    if hasReached(.businessVerified) {
      device.business = .expected
    } else if device.status == .businessException {
      device.business = .missing
    }
    // Some wait before the step for which they need a project.
    if hasReached(.projectAssigned) || !place.isMultiple(of: 5) {
      device.project = DeploymentSeedLists.projects[place % DeploymentSeedLists.projects.count].id
    }
    if hasReached(.configured) {
      let profiles = DeploymentSeedLists.profiles
      device.details[.profile] = profiles[place % profiles.count]
    }
    if hasReached(.preloadSubmitted) { device.preload = .submitted }
    if hasReached(.preloadReconciled) { device.preload = .reconciled }
    if hasReached(.serviceDeskExported) {
      device.serviceDesk = .exported
      device.details[.ticket] = "DEMO-SD-\((place + 1).zeroPadded(to: 4))"
    }
    if hasReached(.shipped) { device.details[.tracking] = "DEMO-TRK-\(device.serial)" }
    if hasReached(.delivered) { device.details[.delivery] = "DEMO-POD-\(device.serial)" }
  }

  private static func exceptions(_ devices: [DeploymentDevice]) -> [DeploymentException] {
    let troubled = devices.filter {
      [.exception, .businessException, .qaFailed].contains($0.status)
    }
    let others = devices.filter { $0.status == .qaPending || $0.status == .cataloged }
    let severities: [DeploymentException.Severity] = [.blocking, .critical, .warning, .info]
    return (troubled + others).prefix(12).enumerated().map { place, device in
      DeploymentException(
        id: DeploymentException.id(place + 1), serial: device.serial,
        code: device.status == .businessException ? "abm-verification" : "inspection",
        severity: place < troubled.count ? .blocking : severities[place % severities.count],
        state: place == 11 ? .waived : place.isMultiple(of: 4) ? .acknowledged : .open,
        summary: device.status == .businessException
          ? "Apple Business doesn't know the device" : DeploymentSeedLists.findings[place % 4],
        note: place == 11 ? "Accepted for the demo" : "")
    }
  }

  /// The steps that some devices took before the demo begins.
  private static func steps(of devices: [DeploymentDevice]) -> [DeploymentChange] {
    let seeded = DeploymentChange(
      time: time - 60 * 24 * hour, action: .seeded, subject: version,
      detail: "\(devices.count) made-up devices; nothing of them exists anywhere else")
    let line = DeploymentStatus.mainLine
    let moves = devices.flatMap { device -> [DeploymentChange] in
      guard let rank = line.firstIndex(of: device.status), rank > 0 else { return [] }
      return [
        DeploymentChange(
          time: device.updated, action: .moved, subject: device.serial,
          detail: "\(line[rank - 1].title) to \(line[rank].title)")
      ]
    }
    return [seeded] + moves.sorted { ($0.time, $0.subject) < ($1.time, $1.subject) }.suffix(auditCount - 1)
  }
}
