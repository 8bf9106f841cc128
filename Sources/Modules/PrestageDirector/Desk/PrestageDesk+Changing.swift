internal import ForsettiModuleKit

// What plans changes, makes them, and goes on with those that were left half-done.
extension PrestageDesk {
  func planMove(_ text: String, to label: String) async {
    guard let destination = state.prestages?.first(where: { $0.label.hasSameScalars(as: label) }) else {
      return fail(
        "There is no PreStage \(label.quoted(limit: 80)).", "Read the PreStages, and choose one of them.")
    }
    await plan(text, to: destination)
  }

  func planRemoval(_ text: String) async { await plan(text, to: nil) }

  private func plan(_ text: String, to destination: PrestageReference?) async {
    guard let serials = serials(in: text) else { return }
    await read("Planning for \(ScopeJob.devices(serials.count))") { [self] () throws(JamfFailure) in
      update { $0.plan = nil }
      let plan = ScopePlan(serials: serials, destination: destination, scopes: try await allScopes())
      // What was done could not be read any more, and so neither finished nor rolled back.
      if let overfilled = plan.overfilled { throw .beyondLimit(.destination(overfilled.name)) }
      let number = nextPlanNumber()
      update {
        $0.outcome = nil
        $0.plan = PrestageState.NumberedPlan(number: number, plan: plan, destination: destination)
      }
    }
  }

  /// Does what the plan says, once the word was typed for this very plan.
  func apply(_ payload: [String: String]) async {
    guard let plan = state.plan, let job = plan.plan.job else {
      return fail("Nothing was changed: there is no plan.", "Plan a move or a removal first.")
    }
    guard plan.confirmation.isGiven(in: payload) else {
      return fail("The plan was not confirmed.", TypedConfirmation.advice)
    }
    guard state.interrupted == nil else {
      return fail("Nothing was changed: another job is half-done.", "Finish it first, or roll it back.")
    }
    if isJournalUnread { await resume() }
    guard !isJournalUnread, state.interrupted == nil else { return }
    guard begin("Checking where the devices are") else { return }
    update {
      $0.plan = nil
      $0.outcome = nil
    }
    await carry(ScopeRun(job, at: WallClock.now()), wasResumed: false)
  }

  // MARK: - What was left half-done

  /// Goes on where the journal says that a job was left, without being asked: devices that are in no PreStage are not
  /// enrolled when they are switched on.
  func resume() async {
    guard let journal else { return }
    isJournalUnread = false
    do {
      guard let record = try await journal.read() else { return }
      update { $0.interrupted = .init(record: record, why: "It was interrupted.") }
      // Not awaited: a start must not wait for Jamf.
      Task { [weak self] in await self?.goOn() }
    } catch {
      context.logger.warning("the journal can't be read", error: error)
      // One that is damaged is set aside; one that could not be asked for is asked for again before the next job.
      if error is ServiceError { isJournalUnread = true }
      fail(
        "What was under way before can't be read from the journal.",
        "Look for the devices of the last job by their serial numbers, and see where they are.")
    }
  }

  /// Jamf can be asked again.
  func providerReturned() async {
    providerReturns += 1
    await goOn()
  }

  /// Goes on with a job the way it was going, where nothing else is under way.
  private func goOn() async {
    guard state.work == nil, let record = state.interrupted?.record else { return }
    await takeUp(record.course)
  }

  /// Goes on with a job, there or back.
  func takeUp(_ course: ScopeRun.Course) async {
    guard let record = state.interrupted?.record else {
      return fail("Nothing is half-done.", "Plan a move or a removal.")
    }
    guard begin("Going on with \(record.job.title)") else { return }
    await carry(ScopeRun(resuming: record.heading(course)), wasResumed: true)
  }

  /// Gives up a job: its devices stay where they are.
  func leave(_ payload: [String: String]) async {
    guard let interrupted = state.interrupted else { return }
    guard interrupted.confirmation.isGiven(in: payload) else {
      return fail("The job was not given up.", TypedConfirmation.advice)
    }
    guard begin("Giving up \(interrupted.record.job.title)") else { return }
    do throws(ServiceError) { try await journal?.finish(interrupted.record) } catch {
      context.logger.warning("the journal keeps a job that was to be given up", error: error)
      fail("The job was not given up: the journal keeps it.", "Try again.")
      return end()
    }
    update { $0.interrupted = nil }
    await report("given_up", interrupted.record.job)
    end()
  }

  // MARK: - The run

  /// Lets a run go to its end. Work has begun.
  private func carry(_ run: ScopeRun, wasResumed: Bool) async {
    let returns = providerReturns
    let runner = ScopeRunner(jamf: jamf, journal: journal) { [self] in
      state.work?.isCalledOff ?? false
    } onStart: { [self] change in
      update { $0.work?.title = change.title }
    } onResult: { [self] change, result in
      await report(change, result)
    }
    switch await runner.carry(run, wasResumed: wasResumed) {
    case .untouched(let why): fail("Nothing was changed. \(why)", "Plan anew once that is mended.")
    case .halted(let record, let why): update { $0.interrupted = .init(record: record, why: why) }
    case .ended(let outcome, let open):
      update {
        $0.interrupted = open.map { .init(record: $0, why: outcome.summary) }
        $0.outcome = .init(outcome: outcome, wasResumed: wasResumed)
      }
      await report(outcome.verdict.rawValue, outcome.job)
    }
    await lookAgain()
    end()
    // The word came while the run was still finding out that it can't go on.
    if providerReturns != returns { await goOn() }
  }

  // MARK: - Reports: never a serial number

  private func report(_ change: ScopeChange, _ result: ScopeChange.Result) async {
    let word =
      switch result {
      case .done: "done"
      case .conflict: "conflict"
      case .refused: "refused"
      case .unclear: "unclear"
      }
    await emit(
      change.title, ["change": "\(change.kind)", "prestage": change.prestage.id, "result": word])
  }

  private func report(_ verdict: String, _ job: ScopeJob) async {
    await emit(
      "The end of \(job.title)",
      ["verdict": verdict, "devices": "\(job.serials.count)", "destination": job.destination?.id ?? "none"])
  }

  private func emit(_ message: String, _ metadata: [String: String]) async {
    let report = DiagnosticReport(
      category: "prestage", severity: .warning, message: message, metadata: metadata)
    do { try await context.services.diagnostics?.emit(report) } catch {
      context.logger.warning("a change could not be reported", error: error)
    }
  }
}
