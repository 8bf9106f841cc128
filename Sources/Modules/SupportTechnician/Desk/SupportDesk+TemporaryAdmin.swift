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
      } catch { change { $0.notice = .error("The setting could not be kept: \(error)", error.advice) } }
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
    let before = admin.run(of: id)
    guard before?.isOpen != true else { return refuseAdmin(.underWay) }
    guard SupportConfirmation.adminWord(id).isGiven(in: payload) else {
      change { $0.notice = .error(TypedConfirmation.advice) }
      return
    }
    let leaving = (before?.groups ?? []).subtracting([request.group])
    guard
      let run = await beginAdmin(
        id, device, minutes: request.minutes, group: request.group, leaving: leaving.sorted())
    else { return }
    await carryOut(run)
  }

  /// Takes the rights away: the Mac leaves every group of a duration, as far as that can be done, and comes into the one
  /// whose Macs lose them at once. Which groups it has to leave is written down first: no crash leaves it in one.
  func demoteAdmin(_ payload: [String: String]) async {
    guard let (id, device) = opened(payload) else { return refuseAdmin(.notManagedMac) }
    guard admin.config.isEnabled, let group = admin.config.demoteGroup else {
      return refuseAdmin(.notConfigured)
    }
    let before = admin.run(of: id)
    // One that only was written down may never have been carried out: it may be ordered again.
    guard before.map({ $0.minutes != nil || $0.state != .waiting }) ?? true else {
      return refuseAdmin(.demoting)
    }
    let leaving = Set(admin.config.groups.values).union(before?.groups ?? []).subtracting([group])
    guard let run = await beginAdmin(id, device, minutes: nil, group: group, leaving: leaving.sorted()) else {
      return
    }
    await carryOut(run)
  }

  /// Takes the Mac out of the groups of before, and puts it into the one of this request.
  private func carryOut(_ run: TemporaryAdminRun) async {
    await leaveGroups(run)
    // Another request may have taken its place meanwhile, and that one is not undone.
    guard admin.run(run.id) != nil else { return }
    await putIntoGroup(run)
    guard let now = admin.run(run.id), now.cleanupFault != nil else { return }
    change { $0.notice = .error(now.advice, "Or take it out in Jamf Pro.") }
  }

  /// Writes a request down.
  /// - Parameter leaving: groups that the Mac has to leave for it.
  private func beginAdmin(
    _ id: SupportDeviceID, _ device: SupportDevice, minutes: Int?, group: String, leaving: [String] = []
  ) async -> TemporaryAdminRun? {
    // What was judged before holds as long as nobody else writes for this Mac.
    guard adminWrites.insert(id).inserted else {
      refuseAdmin(.underWay)
      return nil
    }
    defer { adminWrites.remove(id) }
    let now = WallClock.now()
    // What the request before may still bring about is this one's to undo.
    let lost = (admin.run(of: id)?.late ?? [:]).filter { leaving.contains($0.key) || $0.key == group }
    let run = TemporaryAdminRun(
      id: EntryID.make(at: now), device: id, deviceName: device.name, minutes: minutes, group: group,
      requested: now, deadline: now + Int64(admin.config.timeoutMinutes) * 60_000,
      cleansUpAfterTimeout: admin.config.cleansUpAfterTimeout, leaving: leaving, lost: lost)
    do throws(ServiceError) { try await admin.begin(run) } catch {
      change {
        $0.notice = .error("Nothing was done: the request can't be written down (\(error)).", error.advice)
      }
      return nil
    }
    change { $0.notice = nil }
    return run
  }

  private func putIntoGroup(_ run: TemporaryAdminRun) async {
    await noteAdmin(.asked(WallClock.now()), of: run.id)
    guard admin.run(run.id) != nil else { return }
    do throws(JamfFailure) {
      try await groups.add(run.device.inventoryID, to: run.group)
      await noteAdmin(.written, of: run.id)
      // Of a request whose place another has taken nothing is told: it would be taken for that one's.
      guard admin.run(run.id) != nil else { return }
      change { $0.notice = .success("The Mac is in the group. It acts when it is next online.") }
    } catch {
      let failure = SupportFailure(changing: error)
      // Where nobody knows, the Mac may be in the group: its report is waited for, and it is taken out in the end.
      if case .refused = failure { await noteAdmin(.refused(error.what), of: run.id) }
      guard admin.run(run.id) != nil else { return }
      var advice = error.advice
      if case .forbidden = error {
        let names = SupportEndpoints.administratorPrivileges.map { "“\($0)”" }.joined(separator: ", ")
        advice = "Its API role needs \(names). No Mac was changed; ask again then."
      }
      change { $0.notice = .error(failure.what, advice) }
    }
    follow()
  }

  /// Takes a Mac out of the groups that it has to leave; what fails is tried again.
  private func leaveGroups(_ run: TemporaryAdminRun) async {
    for group in run.leaving where admin.run(run.id)?.leaving.contains(group) ?? false {
      do throws(JamfFailure) {
        try await groups.remove(run.device.inventoryID, from: group)
        await noteAdmin(.left(group, WallClock.now()), of: run.id)
      } catch { await noteAdmin(.leavingFailed(error.what), of: run.id) }
    }
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
        await noteAdmin(.reported(TemporaryAdminReport(record)), of: run.id)
      } catch { context.logger.info("a Mac's report could not be read", metadata: ["why": error.what]) }
      await noteAdmin(.waited(WallClock.now()), of: run.id)
    }
    for run in admin.runs { await leaveGroups(run) }
    await demoteAgain()
  }

  /// Carries out the demotions that were not: Jamf did not answer, or the module ended before. A refusal ends none of them,
  /// for the attempt before may have put the Mac into the group: it is taken out when its time is over.
  private func demoteAgain() async {
    for run in admin.runs where run.minutes == nil && admin.run(run.id)?.state == .requesting {
      await noteAdmin(.asked(WallClock.now()), of: run.id)
      do throws(JamfFailure) {
        try await groups.add(run.device.inventoryID, to: run.group)
        await noteAdmin(.written, of: run.id)
      } catch {
        context.logger.warning("a demotion could not be carried out yet", metadata: ["why": error.what])
      }
    }
  }

  /// - Parameter id: that of the request, for another one may have taken its place while Jamf was asked.
  private func noteAdmin(_ event: TemporaryAdminRun.Event, of id: String) async {
    let wasActive = admin.run(id)?.isActive ?? false
    do throws(ServiceError) { try await admin.take(event, of: id) } catch {
      context.logger.warning("a request for rights is in memory alone", error: error)
    }
    change { _ in }
    guard wasActive, let run = admin.run(id), !run.isActive else { return }
    do throws(ServiceError) { try await context.services.diagnostics?.emit(run.report) } catch {
      context.logger.warning("the end of a request for rights could not be reported", error: error)
    }
  }
}
