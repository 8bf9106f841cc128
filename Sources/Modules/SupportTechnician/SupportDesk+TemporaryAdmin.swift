internal import ForsettiModuleKit

// Administrator rights for a time: a Mac is put into a group, reports, and is taken out again.
extension SupportDesk {
  /// Takes another setting.
  func configureAdmin(_ payload: [String: String]) async {
    do throws(TemporaryAdminRefusal) {
      let config = try TemporaryAdminConfig(form: payload)
      do throws(ServiceError) {
        try await admin.configure(config)
        change { $0.notice = .success("The setting of temporary administrator rights is kept.") }
      } catch { change { $0.notice = .error("The setting could not be kept: \(error)") } }
    } catch { change { $0.notice = .error("The setting was not taken.", error.advice) } }
  }

  /// Asks for rights, after the word.
  func requestAdmin(_ payload: [String: String]) async {
    guard let (id, device) = opened(payload), case .ready(let detail) = state.page?.detail else {
      return refuseAdmin(.notManagedMac)
    }
    let request: TemporaryAdminRequest
    do throws(TemporaryAdminRefusal) {
      request = try TemporaryAdminRequest(
        payload, isManaged: detail.fact("Managed") == "yes", device: device, admin.config)
    } catch { return refuseAdmin(error) }
    guard admin.run(of: id)?.isOpen != true else { return refuseAdmin(.underWay) }
    guard SupportConfirmation.adminWord(id).isGiven(in: payload) else {
      change { $0.notice = .error(TypedConfirmation.advice) }
      return
    }
    guard await beginAdmin(id, device, minutes: request.minutes, group: request.group) else { return }
    await putIntoGroup(id, request.group)
  }

  /// Takes the rights away: the Mac leaves every group of a duration, as far as that can be done, and comes into the one
  /// whose Macs lose them at once.
  func demoteAdmin(_ payload: [String: String]) async {
    guard let (id, device) = opened(payload) else { return refuseAdmin(.notManagedMac) }
    guard admin.config.isEnabled, let group = admin.config.demoteGroup else {
      return refuseAdmin(.notConfigured)
    }
    guard await beginAdmin(id, device, minutes: nil, group: group) else { return }
    var left: [String] = []
    for other in admin.config.groups.values.sorted() {
      do throws(JamfFailure) {
        try await groups.remove(id.inventoryID, from: other)
      } catch { left.append(other) }
    }
    await putIntoGroup(id, group)
    guard !left.isEmpty else { return }
    change { state in
      state.notice = .error(
        "The Mac could not be taken out of group \(left.joined(separator: ", ")).",
        "Take it out in Jamf Pro, or take the rights away once more.")
    }
  }

  private func beginAdmin(
    _ id: SupportDeviceID, _ device: SupportDevice, minutes: Int?, group: String
  ) async -> Bool {
    let now = WallClock.now()
    let run = TemporaryAdminRun(
      device: id, deviceName: device.name, minutes: minutes, group: group, requested: now,
      deadline: now + Int64(admin.config.timeoutMinutes) * 60_000,
      cleansUpAfterTimeout: admin.config.cleansUpAfterTimeout)
    do throws(ServiceError) { try await admin.begin(run) } catch {
      change { $0.notice = .error("Nothing was done: the request can't be written down (\(error)).") }
      return false
    }
    change { $0.notice = nil }
    return true
  }

  private func putIntoGroup(_ id: SupportDeviceID, _ group: String) async {
    do throws(JamfFailure) {
      try await groups.add(id.inventoryID, to: group)
      await noteAdmin(.written, of: id)
      change { $0.notice = .success("The Mac is in the group. It acts when it is next online.") }
    } catch {
      let failure = SupportFailure(changing: error)
      // Where nobody knows, the Mac may be in the group: its report is waited for, and it is taken out in the end.
      if case .refused = failure { await noteAdmin(.refused(error.what), of: id) }
      var advice = error.advice
      if case .forbidden = error {
        let names = SupportEndpoints.administratorPrivileges.map { "“\($0)”" }.joined(separator: ", ")
        advice = "Its API role needs \(names). No Mac was changed; ask again then."
      }
      change { $0.notice = .error(failure.what, advice) }
    }
    follow()
  }

  private func refuseAdmin(_ refusal: TemporaryAdminRefusal) {
    change { $0.notice = .error("No rights were changed.", refusal.advice) }
  }

  /// Reads what Macs report, and takes those out of their groups that have.
  func lookAtAdmin() async {
    for run in admin.runs where run.isActive {
      let attempts = SupportDetailCalls.record(of: run.device, sections: ["EXTENSION_ATTRIBUTES"])
      do throws(JamfFailure) {
        let record = try await SupportSearch(jamf: jamf).first(of: attempts)
        await noteAdmin(.reported(TemporaryAdminReport(record)), of: run.device)
      } catch { context.logger.info("a Mac's report could not be read", metadata: ["why": error.what]) }
      await noteAdmin(.waited(WallClock.now()), of: run.device)
    }
    for run in admin.runs where run.needsCleanup {
      do throws(JamfFailure) {
        try await groups.remove(run.device.inventoryID, from: run.group)
        await noteAdmin(.cleaned, of: run.device)
      } catch { await noteAdmin(.cleanupFailed(error.what), of: run.device) }
    }
  }

  private func noteAdmin(_ event: TemporaryAdminRun.Event, of device: SupportDeviceID) async {
    let wasActive = admin.run(of: device)?.isActive ?? false
    do throws(ServiceError) { try await admin.take(event, of: device) } catch {
      context.logger.warning("a request for rights is in memory alone", error: error)
    }
    change { _ in }
    guard wasActive, let run = admin.run(of: device), !run.isActive else { return }
    // Whether there was a reason and a ticket was required; never what they say.
    let report = DiagnosticReport(
      category: "support.temporary-admin", severity: .info,
      message: "A request for rights has come to its end",
      metadata: ["outcome": run.title, "minutes": run.minutes.map { "\($0)" } ?? "none"])
    do throws(ServiceError) { try await context.services.diagnostics?.emit(report) } catch {
      context.logger.warning("the end of a request for rights could not be reported", error: error)
    }
  }
}
