internal import ForsettiModuleKit

/// Reads the PreStages of one kind of device, and who is in each.
@MainActor
struct PrestageReader {
  let client: JamfClient
  let calls: PrestageCalls

  /// Scopes that are read at once, as many as Jamf advises.
  private static let atOnce = 5

  /// The PreStages, and what is in them. One whose scope can't be read is left out, and noted.
  /// - Throws: where not one can be read.
  func read() async throws(JamfFailure) -> PrestageMap {
    let prestages = try await asking(calls.list) { (endpoint) throws(JamfFailure) in
      try await client.prestages(endpoint)
    }
    let readings = await scopes(of: prestages)
    var map = PrestageMap()
    for (prestage, reading) in zip(prestages, readings) {
      switch reading {
      case .success(let scope): map.add(prestage, scope)
      case .failure(.cancelled): throw .cancelled
      case .failure(let failure): map.miss(failure)
      }
    }
    if let first = map.unread.first, map.unread.count == prestages.count { throw first }
    return map
  }

  /// What the newest version says that the server has.
  private func asking<Answer>(
    _ endpoints: [JamfEndpoint], _ ask: (JamfEndpoint) async throws(JamfFailure) -> Answer
  ) async throws(JamfFailure) -> Answer {
    var first: JamfFailure?
    for endpoint in endpoints {
      do throws(JamfFailure) { return try await ask(endpoint) } catch {
        guard error.isOfVersion else { throw error }
        // Why the newest version said no is of more use than that its elders did too.
        first = first ?? error
      }
    }
    throw first ?? .notFound("PreStages")
  }

  private typealias Reading = Result<PrestageScope, JamfFailure>

  /// What is in each, in the order of the PreStages.
  private func scopes(of prestages: [PrestageReference]) async -> [Reading] {
    await withTaskGroup(of: (Int, Reading).self) { group in
      var readings = [Reading](repeating: .failure(.cancelled), count: prestages.count)
      var room = ScopeRoom()
      func keep(_ reading: Reading, at place: Int) {
        readings[place] = reading.flatMap { scope in
          do throws(JamfFailure) {
            try room.take(scope)
            return reading
          } catch { return .failure(error) }
        }
      }
      for (place, prestage) in prestages.enumerated() {
        if place >= Self.atOnce, let (done, reading) = await group.next() { keep(reading, at: done) }
        group.addTask { (place, await scope(of: prestage)) }
      }
      for await (done, reading) in group { keep(reading, at: done) }
      return readings
    }
  }

  private func scope(of prestage: PrestageReference) async -> Reading {
    do throws(JamfFailure) {
      return .success(
        try await asking(calls.scope) { (endpoint) throws(JamfFailure) in
          try await client.scope(of: prestage, endpoint)
        })
    } catch { return .failure(error) }
  }
}
