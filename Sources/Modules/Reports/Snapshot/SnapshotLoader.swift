internal import ForsettiModuleKit

/// How far a snapshot has come.
struct SnapshotProgress: Sendable, Equatable {
  /// One line for people.
  var label: String
  /// 0 to 1; nothing while nobody knows.
  var share: Double?
}

/// Reads the fleet page by page, and keeps of each what reports need.
@MainActor
struct SnapshotLoader {
  let client: JamfClient
  /// The extension attribute whose value is the location, if the settings name one.
  let locationAttribute: String?
  /// What to read, where it is for one report alone.
  var plan: ReportPlan?
  let onProgress: @MainActor (SnapshotProgress) -> Void

  /// Records of a page; an answer that gets too large is asked for in smaller ones.
  private static let pageSize = 200
  private static let placesPageSize = 1_000

  /// Reads both lists. Where one of them can't be read the other is worth having, and a warning says so.
  /// - Parameter time: milliseconds since 1970.
  /// - Throws: what the reading of the last list came to where there is none, and at once what no other list would change.
  func load(at time: Int64) async throws(JamfFailure) -> FleetSnapshot {
    var snapshot = FleetSnapshot(devices: [], takenAt: time, plan: plan)
    if plan != nil { snapshot.warnings.append(Self.planned) }
    onProgress(SnapshotProgress(label: "Buildings and departments", share: nil))
    let buildings = try await places(ReportsEndpoints.buildings, "Buildings", &snapshot)
    let departments = try await places(ReportsEndpoints.departments, "Departments", &snapshot)
    var reader = InventoryReader(
      buildings: buildings, departments: departments, locationAttribute: locationAttribute)
    var failures: [JamfFailure] = []
    let sources = self.sources
    for (place, source) in sources.enumerated() {
      do throws(JamfFailure) {
        try await read(source, with: &reader, into: &snapshot) { share in
          (Double(place) + share) / Double(sources.count)
        }
      } catch {
        guard !error.concernsEveryCall else { throw error }
        failures.append(error)
        snapshot.warnings.append("\(source.domain.title) are missing: \(error.what) \(error.advice)")
      }
    }
    if failures.count == sources.count, let failure = failures.last { throw failure }
    return snapshot
  }

  private static let planned =
    "Only what this report needs was read; other columns and figures are empty. Read the fleet to have them."

  private var sources: [InventorySource] {
    plan?.readings.map { InventorySource($0) }
      ?? DeviceDomain.allCases.map { InventorySource($0, withAttributes: locationAttribute != nil) }
  }

  /// Names are a convenience: without them a report shows IDs.
  private func places(
    _ endpoint: JamfEndpoint, _ title: String, _ snapshot: inout FleetSnapshot
  ) async throws(JamfFailure) -> PlaceNames {
    var names = PlaceNames()
    do throws(JamfFailure) {
      try await client.pages(endpoint.path(), pageSize: Self.placesPageSize) { page throws(JamfFailure) in
        names.add(page.items)
        return true
      }
    } catch {
      guard !error.concernsEveryCall else { throw error }
      snapshot.warnings.append("\(title) are shown by their IDs: \(error.what) \(error.advice)")
    }
    return names
  }

  private func read(
    _ source: InventorySource, with reader: inout InventoryReader, into snapshot: inout FleetSnapshot,
    share: (Double) -> Double
  ) async throws(JamfFailure) {
    let domain = source.domain
    var attempt = source.first
    while true {
      var devices: [ReportDevice] = []
      do throws(JamfFailure) {
        try await client.pages(attempt.path, attempt.query, pageSize: Self.pageSize) {
          page throws(JamfFailure) in
          for record in page.items { devices.append(reader.device(record, of: domain)) }
          report(domain, devices.count, of: page.total, share)
          return true
        }
        snapshot.devices += devices
        if let lack = attempt.lack { snapshot.warnings.append(lack) }
        return
      } catch {
        // Another way is for a refusal at the outset; what breaks off half-way is no matter of versions.
        guard devices.isEmpty, let next = source.next(after: attempt, failedBy: error) else { throw error }
        attempt = next
      }
    }
  }

  /// Each list counts for as much as another: how long the next is nobody knows before it begins.
  private func report(_ domain: DeviceDomain, _ count: Int, of total: Int?, _ share: (Double) -> Double) {
    guard let total, total > 0 else {
      return onProgress(SnapshotProgress(label: "\(domain.title): \(count)", share: nil))
    }
    onProgress(
      SnapshotProgress(
        label: "\(domain.title): \(count) of \(total)", share: share(min(1, Double(count) / Double(total)))))
  }
}

extension JamfFailure {
  /// Whether asking for something else is of no use either.
  fileprivate var concernsEveryCall: Bool {
    switch self {
    case .notConfigured, .credentialsRejected, .cancelled, .unavailable: true
    case .forbidden, .notFound, .conflict, .invalidRequest, .rateLimited, .serverError, .unreachable,
      .unreadable, .listChanged, .tooLarge, .beyondLimit, .denied:
      false
    }
  }
}
