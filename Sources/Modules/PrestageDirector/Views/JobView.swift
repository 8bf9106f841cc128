internal import ForsettiModuleKit

/// Jobs: the one that is planned, the one that is half-done, and how the last one ended.
struct JobView {
  let view: PrestageView

  var nodes: [ViewNode] {
    (view.state.interrupted.map(interrupted) ?? []) + (view.state.outcome.map(ended) ?? [])
      + (view.state.plan.map(planned) ?? [])
  }

  // MARK: - Half-done

  private func interrupted(_ job: PrestageState.Interrupted) -> [ViewNode] {
    let nodes: [ViewNode] = [
      .badge("Half-done", tone: .error), .text("Half-done is \(job.record.job.title)."), .text(job.why),
      .text(
        "Begun at \(timestampText(job.record.startedAt)); \(way(job.record)). It is kept, and goes on by itself when the "
          + "module starts again.", style: .caption),
    ]
    guard view.state.work == nil else { return nodes }
    let back = job.record.job.destination == nil ? "Stop here" : "Roll back"
    let leave = ViewForm(
      fields: [job.confirmation.field], submitTitle: "Leave the devices where they are",
      eventType: view.type("leave"))
    return nodes + [view.button("Finish", "finish"), view.button(back, "roll-back"), .form(leave)]
  }

  private func way(_ record: ScopeRecord) -> String {
    switch record.course {
    case .forward: "it was on its way there"
    case .back: "it was on its way back"
    case .stopped: "it had been stopped"
    }
  }

  // MARK: - Ended

  private func ended(_ end: PrestageState.Ended) -> [ViewNode] {
    let outcome = end.outcome
    var nodes: [ViewNode] = [
      .badge(Self.word(outcome.verdict), tone: Self.tone(outcome)), .text(outcome.summary),
    ]
    if end.wasResumed {
      nodes.append(
        .text("It had been interrupted, and was \(Self.resumed(outcome.verdict)) from the journal."))
    }
    if let cause = outcome.cause { nodes.append(.text("Why: \(cause)")) }
    nodes += outcome.failures.map { .text("\($0.prestage.name) could not be put back: \($0.why)") }
    if outcome.job.destination != nil, !outcome.places.nowhere.isEmpty {
      nodes += [
        .text("In no PreStage now:"), .text(outcome.places.nowhere.joined(separator: " "), style: .code),
      ]
    }
    if outcome.verdict == .stopped {
      nodes += [
        .text("Still where they were:"), .text(outcome.places.atSource.joined(separator: " "), style: .code),
      ]
    }
    return nodes + [view.button("Dismiss", "dismiss")]
  }

  private static func word(_ verdict: ScopeOutcome.Verdict) -> String {
    switch verdict {
    case .moved: "Moved"
    case .removed: "Removed"
    case .stopped: "Stopped half-way"
    case .stale, .unchanged: "Nothing changed"
    case .rolledBack: "Rolled back in full"
    case .partlyRolledBack: "Rolled back in part"
    case .notRolledBack: "Not rolled back"
    }
  }

  private static func resumed(_ verdict: ScopeOutcome.Verdict) -> String {
    switch verdict {
    case .moved, .removed: "finished"
    case .stopped, .stale, .unchanged: "ended"
    case .rolledBack, .partlyRolledBack, .notRolledBack: "rolled back"
    }
  }

  private static func tone(_ outcome: ScopeOutcome) -> ViewTone {
    switch outcome.verdict {
    case .moved, .removed: .success
    case .stale, .unchanged, .rolledBack: .warning
    case .stopped, .partlyRolledBack, .notRolledBack: .error
    }
  }

  // MARK: - Planned

  private func planned(_ numbered: PrestageState.NumberedPlan) -> [ViewNode] {
    let plan = numbered.plan
    var nodes: [ViewNode] = [.text("Plan \(numbered.number)", style: .heading)]
    if let job = plan.job {
      let target = job.destination?.label ?? "no PreStage"
      let rows = job.sources.map { part -> [ViewNode] in
        [
          .text(part.prestage.label), .text("\(part.serials.count)"), .text(target),
          .text(Self.some(part.serials), style: .code),
        ]
      }
      nodes += [
        .text("Would be done: \(job.title)."),
        .table(
          columns: ["From", "Devices", "To", "Serial numbers"],
          rows: Array(rows.prefix(PrestageView.rowLimit))),
      ]
      nodes += PrestageView.rest(of: rows.count)
    } else {
      nodes.append(.text("There is nothing to do."))
    }
    nodes += left(out: plan.alreadyThere, "are there already")
    nodes += left(out: plan.unassigned, "are in no PreStage")
    guard let job = plan.job else { return nodes + [view.button("Discard the plan", "discard")] }
    let title = job.destination == nil ? "Remove" : "Move"
    let form = ViewForm(
      fields: [numbered.confirmation.field], submitTitle: "\(title) \(ScopeJob.devices(job.serials.count))",
      eventType: view.type("apply"))
    return nodes + [.form(form), view.button("Discard the plan", "discard")]
  }

  private func left(out serials: [String], _ why: String) -> [ViewNode] {
    serials.isEmpty
      ? [] : [.text("Left out, for they \(why):"), .text(Self.some(serials), style: .code)]
  }

  /// Serial numbers of one line at most.
  private static let lineLimit = 50

  private static func some(_ serials: [String]) -> String {
    let line = serials.prefix(lineLimit).joined(separator: " ")
    return serials.count > lineLimit ? "\(line) and \(serials.count - lineLimit) more" : line
  }
}
