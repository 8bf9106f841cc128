internal import ForsettiModuleKit

/// Reads and changes the PreStages of mobile devices, in the versions of the calls that the server has.
@MainActor
struct PrestageClient {
  private let jamf: JamfClient

  init(_ jamf: JamfClient) { self.jamf = jamf }

  /// All PreStages, by name.
  func prestages() async throws(JamfFailure) -> [PrestageReference] {
    let found = try await first(PrestageEndpoints.list) { (endpoint) throws(JamfFailure) in
      try await jamf.prestages(endpoint)
    }
    return found.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  /// Who is in a PreStage.
  func scope(_ prestage: PrestageReference) async throws(JamfFailure) -> PrestageScope {
    try await first(PrestageEndpoints.scope) { (endpoint) throws(JamfFailure) in
      try await jamf.scope(of: prestage, endpoint)
    }
  }

  /// Makes one change, once.
  func make(_ change: ScopeChange) async -> ScopeChange.Result {
    guard let lock = change.lock else {
      return .refused(
        "Jamf Pro gave no lock for \(change.prestage.name), so that nothing can be changed safely.")
    }
    let body = JSONValue.object([
      ("serialNumbers", .strings(change.serials)), ("versionLock", .integer(lock)),
    ])
    let endpoints = change.kind == .add ? PrestageEndpoints.add : PrestageEndpoints.remove
    do throws(JamfFailure) {
      let answer = try await first(endpoints) { (endpoint) throws(JamfFailure) in
        try await jamf.change(endpoint.method, endpoint.path(change.prestage.id), json: body)
      }
      return .done(answer.flatMap { PrestageScope($0) })
    } catch { return ScopeChange.Result(error) }
  }

  /// What the inventory knows of some devices, by serial number; those that were never enrolled are not in it.
  func devices(_ serials: [String]) async throws(JamfFailure) -> [String: AssignedDevice] {
    guard !serials.isEmpty else { return [:] }
    let literals = serials.map { RSQL.quoted($0) }.joined(separator: ",")
    let query = [
      ("section", "GENERAL"), ("section", "HARDWARE"), ("filter", "serialNumber=in=(\(literals))"),
    ]
    return try await first(PrestageEndpoints.devices) { (endpoint) throws(JamfFailure) in
      var found: [String: AssignedDevice] = [:]
      try await jamf.pages(endpoint.path(), query, pageSize: serials.count) { (page) throws(JamfFailure) in
        for device in page.items.lazy.compactMap({ AssignedDevice($0) }) { found[device.serial] = device }
        return found.count < serials.count
      }
      return found
    }
  }

  /// Asks by the first call that the server has.
  private func first<Answer>(
    _ endpoints: [JamfEndpoint], _ ask: @MainActor (JamfEndpoint) async throws(JamfFailure) -> Answer
  ) async throws(JamfFailure) -> Answer {
    var missing = JamfFailure.notFound("")
    for endpoint in endpoints {
      do throws(JamfFailure) { return try await ask(endpoint) } catch {
        guard case .notFound = error else { throw error }
        missing = error
      }
    }
    throw missing
  }
}

extension ScopeChange.Result {
  /// What a failed change came to. Credentials and privileges can be mended, but nobody knows when; what was lost on its
  /// way may have been done.
  init(_ failure: JamfFailure) {
    switch failure {
    case .conflict: self = .conflict(failure.what)
    case .forbidden, .notFound, .invalidRequest, .denied: self = .refused(failure.what)
    case .notConfigured, .credentialsRejected, .rateLimited, .serverError, .unreachable, .unreadable,
      .listChanged, .tooLarge, .beyondLimit, .cancelled, .unavailable:
      self = .unclear(failure.what)
    }
  }
}
