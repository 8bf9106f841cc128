internal import ForsettiModuleKit

// What only looks.
extension PrestageDesk {
  /// Reads the PreStages, and the opened one again.
  func refresh() async {
    await read("Reading the PreStages") { [self] () throws(JamfFailure) in
      let prestages = try await jamf.prestages()
      update { $0.prestages = prestages }
      guard let opened = state.opened else { return }
      try await look(at: opened.prestage)
    }
  }

  func open(_ id: String) async {
    guard let prestage = state.prestages?.first(where: { $0.id == id }) else {
      return fail("There is no PreStage \(id.quoted(limit: 40)).", "Read the PreStages again.")
    }
    await read("Opening \(prestage.name)") { [self] () throws(JamfFailure) in try await look(at: prestage) }
  }

  func filter(_ text: String) async {
    update { $0.opened?.setFilter(text) }
    await name()
  }

  func turn(to page: String) async {
    guard let number = Int(page) else { return }
    update { $0.opened?.turn(to: number) }
    await name()
  }

  /// The opened PreStage as it is after a change. What can't be read now is read when somebody asks again.
  func lookAgain() async {
    guard let opened = state.opened else { return }
    do throws(JamfFailure) { try await look(at: opened.prestage) } catch {
      context.logger.debug("the opened PreStage was not read again", metadata: ["reason": error.what])
    }
  }

  /// Names of another page; not worth waiting for other work.
  private func name() async {
    guard state.opened != nil, state.work == nil else { return }
    await read("Reading the names of devices") { [self] () throws(JamfFailure) in await readNames() }
  }

  private func look(at prestage: PrestageReference) async throws(JamfFailure) {
    let scope = try await jamf.scope(prestage)
    update {
      guard $0.opened?.prestage.id == prestage.id else {
        $0.opened = OpenedPrestage(prestage: prestage, scope: scope)
        return
      }
      $0.opened?.take(scope)
    }
    await readNames()
  }

  /// Names and models of the page. They are no reason to show nothing: the serial numbers are there.
  private func readNames() async {
    guard let opened = state.opened else { return }
    let unknown = opened.shown.map(\.serial).filter { opened.devices[$0] == nil }
    do throws(JamfFailure) {
      let devices = try await jamf.devices(unknown)
      update {
        guard $0.opened?.prestage.id == opened.prestage.id else { return }
        $0.opened?.devices.merge(devices) { $1 }
        $0.opened?.devicesNote = nil
      }
    } catch { update { $0.opened?.devicesNote = "\(error.what) \(error.advice)" } }
  }

  /// The scopes of all PreStages as they are now.
  func allScopes() async throws(JamfFailure) -> [(prestage: PrestageReference, scope: PrestageScope)] {
    let prestages = try await jamf.prestages()
    update { $0.prestages = prestages }
    var scopes: [(prestage: PrestageReference, scope: PrestageScope)] = []
    var room = ScopeRoom()
    for (done, prestage) in prestages.enumerated() {
      guard !Task.isCancelled else { throw .cancelled }
      progress("Looking into \(prestage.name)", done, of: prestages.count)
      let scope = try await jamf.scope(prestage)
      try room.take(scope)
      scopes.append((prestage, scope))
    }
    return scopes
  }

  func find(_ text: String) async {
    guard let serials = serials(in: text) else { return }
    await read("Looking for \(ScopeJob.devices(serials.count))") { [self] () throws(JamfFailure) in
      let scopes = try await allScopes()
      let places = serials.map { serial in
        PrestageState.FoundSerials.Place(
          serial: serial, prestage: scopes.first { $0.scope.contains(serial) }?.prestage)
      }
      update { $0.found = PrestageState.FoundSerials(places: places) }
    }
  }

  /// The serial numbers that were typed; says what is wrong with them where they are none.
  func serials(in text: String) -> [String]? {
    do throws(SerialRefusal) { return try SerialNumbers.read(text) } catch {
      fail("The serial numbers can't be read.", error.advice)
      return nil
    }
  }

  // MARK: - Sharing

  func share() {
    guard let opened = state.opened else { return }
    update { $0.shared = RecordMarkdown.document(opened.shown.map { $0.record(in: opened.prestage) }) }
  }

  /// Writes all that the filter lets through to a file.
  func export() async {
    guard let opened = state.opened else { return }
    let records = opened.matches.map {
      (opened.devices[$0] ?? AssignedDevice(serial: $0)).record(in: opened.prestage)
    }
    do throws(ServiceError) {
      let paths = try await DocumentExport(context: context).write(
        RecordMarkdown.documents(records).map { Array($0.utf8) }, prefix: "prestage \(opened.prestage.name)",
        at: WallClock.now(), fileExtension: "md")
      let names = paths.map { $0.plain() }.joined(separator: ", ")
      update { $0.notice = .done("Wrote \(ScopeJob.devices(records.count)) to \(names).") }
    } catch {
      fail(
        "No file was written: \(error).",
        "See the module's file_export in the policy; share the page instead.")
    }
  }
}
