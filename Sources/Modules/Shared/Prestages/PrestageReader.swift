internal import ForsettiModuleKit

/// Reads the PreStages of one kind of device, and who is in each.
@MainActor
struct PrestageReader {
  let client: JamfClient
  let calls: PrestageCalls

  /// Records of a page.
  private static let pageSize = 100
  /// Scopes that are read at once, as many as Jamf advises.
  private static let atOnce = 5
  /// PreStages whose scopes are read at most.
  private static let limit = 1_000

  /// The PreStages, and what is in them. One whose scope can't be read is left out, and noted.
  /// - Throws: where not one can be read.
  func read() async throws(JamfFailure) -> PrestageMap {
    let (prestages, version) = try await list()
    let readings = await scopes(of: prestages, version)
    var map = PrestageMap()
    var first: JamfFailure?
    for (prestage, reading) in zip(prestages, readings) {
      switch reading {
      case .success(let scope): map.add(prestage, scope)
      case .failure(.cancelled): throw .cancelled
      case .failure(let failure):
        map.miss(prestage)
        first = first ?? failure
      }
    }
    if let first, map.unread.count == prestages.count { throw first }
    return map
  }

  /// The PreStages, and the place of the version that answered.
  private func list() async throws(JamfFailure) -> ([PrestageReference], Int) {
    var first: JamfFailure?
    for (version, endpoint) in calls.list.enumerated() {
      do throws(JamfFailure) {
        var found: [PrestageReference] = []
        try await client.pages(endpoint.path(), pageSize: Self.pageSize) { (page) throws(JamfFailure) in
          found += page.items.compactMap { PrestageReference($0) }
          guard found.count <= Self.limit else {
            throw .invalidRequest("there are more than \(Self.limit) PreStages.")
          }
          return true
        }
        return (found, version)
      } catch {
        guard error.isOfVersion else { throw error }
        // Why the newest version said no is of more use than that its elders did too.
        first = first ?? error
      }
    }
    throw first ?? .notFound("PreStages")
  }

  private typealias Reading = Result<PrestageScope, JamfFailure>

  /// What is in each, in the order of the PreStages.
  private func scopes(of prestages: [PrestageReference], _ version: Int) async -> [Reading] {
    await withTaskGroup(of: (Int, Reading).self) { group in
      var readings = [Reading](repeating: .failure(.cancelled), count: prestages.count)
      for (place, prestage) in prestages.enumerated() {
        if place >= Self.atOnce, let (done, reading) = await group.next() { readings[done] = reading }
        group.addTask { (place, await scope(of: prestage, version)) }
      }
      for await (done, reading) in group { readings[done] = reading }
      return readings
    }
  }

  private func scope(of prestage: PrestageReference, _ version: Int) async -> Reading {
    do throws(JamfFailure) {
      guard let scope = PrestageScope(try await client.get(calls.scope[version].path(prestage.id))) else {
        throw .unreadable("the scope of \(prestage.name) has no list of serial numbers.")
      }
      return .success(scope)
    } catch { return .failure(error) }
  }
}
