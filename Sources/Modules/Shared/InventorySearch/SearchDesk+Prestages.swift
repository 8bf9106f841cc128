internal import ForsettiModuleKit

// PreStages beside what was found. Whatever fails here, the search goes on without it.
extension SearchDesk {
  /// Devices that are not enrolled, of one search at most.
  private static let assignedLimit = 500

  /// Which PreStage has which device, where the search asks for that; nothing where it can't be read.
  func prestages(for request: SearchRequest, _ number: Int) async throws(JamfFailure) -> PrestageMap? {
    guard number == searchNumber, isUnfinished, request.asksFor(subject.prestageKey) else { return nil }
    // Anew for each search: the next one may be of another server.
    update { $0.results?.step = "Reading the PreStages" }
    do throws(JamfFailure) {
      let map = try await PrestageReader(client: tools.client, calls: subject.prestages).read()
      for text in map.notes { note(number, text) }
      return map
    } catch {
      guard error != .cancelled else { throw error }
      note(
        number,
        "the PreStages could not be read, so their column and devices may be missing (\(error.what) \(error.advice))"
      )
      await report("The PreStages could not be read", ["why": error.what])
      return nil
    }
  }

  /// Tells in the rows which PreStage has each device, and adds those that one has and the inventory hasn't.
  func addPrestages(
    of request: SearchRequest, _ attempt: SearchAttempt, _ number: Int
  ) async throws(JamfFailure) {
    guard number == searchNumber, let map = request.prestages, isUnfinished else { return }
    update { $0.results?.tell(map, subject) }
    // Without sections a row has no serial number to be known by, and of rows that are cut none is surely missing.
    guard attempt.sections != .none, let results = state.results, results.state == .running else { return }
    let known = Set(results.records.compactMap { SerialNumbers.normalised($0[subject.serialKey]) })
    let rows = search.assigned(request, besides: known)
    guard !rows.isEmpty else { return }
    if rows.count > Self.assignedLimit {
      note(number, "of \(rows.count) devices that a PreStage has, \(Self.assignedLimit) were looked at")
    }
    do throws(JamfFailure) {
      let some = rows.prefix(Self.assignedLimit)
      let enrolled = try await search.enrolled(some.compactMap { $0[subject.serialKey] }, attempt)
      guard number == searchNumber else { return }
      update { state in
        state.results?.add(assigned: some.filter { !enrolled.contains($0[subject.serialKey] ?? "") })
      }
    } catch {
      guard error != .cancelled else { throw error }
      note(number, "devices that are not enrolled could not be told from others")
      await report("Devices of PreStages could not be looked for", ["why": error.what])
    }
  }

  /// Whether something is still to be told: the search goes on, or has all the rows that it may have.
  private var isUnfinished: Bool { [.running, .full].contains(state.results?.state) }

  private func note(_ number: Int, _ note: String) {
    guard number == searchNumber else { return }
    update { $0.results?.add(note: note) }
  }
}
