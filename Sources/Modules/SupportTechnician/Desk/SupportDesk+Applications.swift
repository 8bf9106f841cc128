internal import ForsettiModuleKit

// Applications of a Mac: a wrapper is made for one run, the Mac is pushed, and what was made is deleted again.
extension SupportDesk {
  /// Installs or removes an application, after the word.
  func changeApplication(_ payload: [String: String]) async {
    guard let (id, device) = opened(payload), id.kind == .computer, let managementID = device.managementID
    else {
      return refuseApplication("This Mac is not open, or takes no commands.", "Open it again.")
    }
    guard let order = ApplicationOrder(payload) else {
      return refuseApplication(
        "No application is named.",
        "Enter its name as the inventory has it, \(ApplicationOrder.nameLimit) bytes at most.")
    }
    guard SupportConfirmation.applicationWord(id).isGiven(in: payload) else {
      change { $0.notice = .error(TypedConfirmation.advice) }
      return
    }
    guard !applications.runs.contains(where: { $0.isUnderWay && $0.order == order && $0.device == id }) else {
      return refuseApplication(
        "\(order.verb.title) \(order.application) is under way already.", "Wait for its end, a day at most.")
    }
    do throws(JamfFailure) {
      let held = try await jamf.get(PermissionsEndpoints.held)
      let missing = ApplicationArtefacts.missingPrivileges(in: held)
      guard missing.isEmpty else {
        let names = missing.map { "“\($0)”" }.joined(separator: ", ")
        return refuseApplication("The account lacks privileges for it.", "Its API role needs \(names).")
      }
    } catch { return refuseApplication(error.what, error.advice) }
    let now = WallClock.now()
    let run = ApplicationRun(
      id: EntryID.make(at: now), order: order, device: id, deviceName: device.name, begun: now)
    do throws(ServiceError) { try await applications.begin(run) } catch {
      return refuseApplication("The journal can't be written (\(error)).", "Mend that first.")
    }
    change { $0.notice = nil }
    await make(run, device, managementID)
  }

  /// Makes the script, the policy, and pushes the Mac.
  private func make(_ run: ApplicationRun, _ device: SupportDevice, _ managementID: String) async {
    let name = ApplicationArtefacts.name(run.order, device.serial, token: run.id)
    do throws(JamfFailure) {
      let answer = try await jamf.send(
        "POST", ApplicationArtefacts.scriptsPath,
        json: ApplicationArtefacts.script(run.order.verb, name: name))
      guard let script = SupportText.inventoryID(answer.supportText("id")) else {
        throw .unreadable("the script that was made has no ID.")
      }
      await noteApplication(.madeScript(script), of: run.id)
      let made = try await jamf.send(
        "POST", ApplicationArtefacts.newPolicyPath,
        xml: ApplicationArtefacts.policy(
          run.order, name: name, script: script, computer: run.device.inventoryID))
      guard let policy = ApplicationArtefacts.policyID(made) else {
        throw .unreadable("the policy that was made has no ID.")
      }
      await noteApplication(.madePolicy(policy), of: run.id)
      change {
        $0.notice = .success(
          "\(run.order.verb.title) \(run.order.application): the Mac finds it at its next check-in.")
      }
    } catch {
      await noteApplication(
        .failed("\(error.what) If it was made all the same, it is called \(name.quoted(limit: 200))."),
        of: run.id)
      change { $0.notice = .error("\(run.order.verb.title): \(error.what)", error.advice) }
    }
    await deleteArtefacts()
    guard applications.runs.contains(where: { $0.id == run.id && $0.isAwaited }) else { return }
    await push(managementID)
    follow()
  }

  /// A Mac that is not pushed checks in by itself, later.
  private func push(_ managementID: String) async {
    let push = MDMOrder.blankPush(to: managementID)
    do throws(JamfFailure) { _ = try await jamf.send("POST", MDMOrder.blankPushPath, json: push) } catch {
      change {
        $0.notice = .error("The Mac could not be pushed: \(error.what)", "It checks in by itself, later.")
      }
    }
  }

  /// Reads whether Macs are as they were wanted, and deletes what is needed no more.
  /// - Parameter alsoLate: whether Macs that are late are asked too; somebody must want it, for they may be off for days.
  func lookAtApplications(alsoLate: Bool) async {
    for run in applications.runs where run.isAwaited {
      if run.state == .waiting || alsoLate { await readApplications(run) }
      await noteApplication(.waited(WallClock.now()), of: run.id)
    }
    await deleteArtefacts()
  }

  private func readApplications(_ run: ApplicationRun) async {
    let attempts = SupportDetailCalls.record(of: run.device, sections: ["APPLICATIONS"])
    do throws(JamfFailure) {
      let record = try await SupportSearch(jamf: jamf).first(of: attempts)
      guard let applications = record["applications"]?.elements else {
        // Not the same as having none.
        return context.logger.info("a Mac's record does not say which applications it has")
      }
      let names = applications.compactMap { $0.supportText("name") }
      await noteApplication(.read(isMet: run.order.isMet(by: names)), of: run.id)
    } catch { context.logger.info("a Mac's applications could not be read", metadata: ["why": error.what]) }
  }

  private func deleteArtefacts() async {
    for run in applications.runs where run.needsCleanup {
      if let policy = run.policy, await delete(ApplicationArtefacts.policyPath(policy), isXML: true) {
        await noteApplication(.removedPolicy, of: run.id)
      }
      if let script = run.script, await delete("\(ApplicationArtefacts.scriptsPath)/\(script)", isXML: false)
      {
        await noteApplication(.removedScript, of: run.id)
      }
    }
  }

  /// Whether there is nothing any more.
  private func delete(_ path: String, isXML: Bool) async -> Bool {
    do throws(JamfFailure) {
      if isXML {
        _ = try await jamf.send("DELETE", path, xml: "")
      } else {
        _ = try await jamf.send("DELETE", path)
      }
      return true
    } catch {
      if case .notFound = error { return true }
      context.logger.warning(
        "what was made for an application is not deleted yet", metadata: ["why": error.what])
      return false
    }
  }

  private func noteApplication(_ event: ApplicationRun.Event, of id: String) async {
    do throws(ServiceError) { try await applications.take(event, of: id) } catch {
      context.logger.warning("what became of an application is in memory alone", error: error)
    }
    change { _ in }
  }

  private func refuseApplication(_ what: String, _ advice: String) {
    change { $0.notice = .error("Nothing was done: \(what)", advice) }
  }
}
