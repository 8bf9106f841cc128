internal import ForsettiModuleKit

// The pages that are about many devices at once.
extension DeploymentPage {
  var dashboard: [ViewNode] {
    let figures = DeploymentFigures(state)
    return [
      .keyValues(figures.figures.map { ViewKeyValue($0.name, .text("\($0.count) of \($0.total)")) }),
      .chart(
        ViewChart(
          .bar, labels: figures.byStatus.map(\.name),
          series: [ViewChart.Series("Devices", figures.byStatus.map { Double($0.count) })])),
      .chart(
        ViewChart(
          .pie, labels: figures.byKind.map(\.name),
          series: [ViewChart.Series("Devices", figures.byKind.map { Double($0.count) })])),
    ]
  }

  var projects: [ViewNode] {
    let rows = state.projects.map { project -> [ViewNode] in
      let devices = state.activeDevices.filter { $0.project == project.id }
      let rules = DeploymentProject.Rule.allCases.filter(project.rules.contains).map(\.rawValue)
      return [
        DeploymentVerb.filter.button(
          project.id, ["field": DeploymentField.project.rawValue, "text": project.id]),
        .text(project.name), .text("\(devices.count)"), .text("\(devices.count { $0.status == .complete })"),
        .text(rules.joined(separator: ", ")),
      ]
    }
    return [
      table(["Project", "Name", "Devices", "Complete", "Asks for"], rows, empty: "There are no projects.")
    ]
  }

  var business: [ViewNode] {
    [
      actions(.businessCheck),
      devices(
        at: [.businessPending, .businessException], [.status, .model, .partNumber, .business, .project],
        empty: "No device waits for Apple Business."),
    ] + businessHistory
  }

  var preload: [ViewNode] {
    let refused = PreloadFile(project: nil, in: state).refused.map { refused in
      [link(refused.serial), ViewNode.text(refused.faults.joined(separator: " "))]
    }
    return [
      DeploymentVerb.exportPreload.form([projectField], submit: "Write the preload file"),
      .text(PreloadFile.warning, style: .caption),
      actions(.preloadSubmission), actions(.preloadReconciliation),
      .text("Held up", style: .heading),
      table([DeploymentField.serial.title, "Why"], refused, empty: "No device is held up."),
      .text("Ready and submitted", style: .heading),
      devices(
        at: [.preloadReady, .preloadSubmitted], [.status, .deviceType, .assignedUser, .preload, .project],
        empty: "No device is ready for a preload."),
      .text("Files", style: .heading), exports(.preload),
    ] + preloadHistory
  }

  var serviceDesk: [ViewNode] {
    let file = ServiceDeskFile(project: nil, in: state)
    return [
      DeploymentVerb.exportServiceDesk.form([projectField], submit: "Write the file and mark them exported"),
      actions(.serviceDeskExport),
      file.faults.isEmpty
        ? .text("Nothing keeps the file from being written.", style: .caption)
        : .list(file.faults.prefix(20).map { .text($0) }, style: .bullets),
      devices(
        at: [.serviceDeskReady, .serviceDeskExported], [.status, .assetTag, .serviceDesk, .ticket, .project],
        empty: "No device waits for the service desk."),
      .text("Files", style: .heading), exports(.serviceDesk),
      .text("Before the demo", style: .heading), handovers(state.history.serviceDeskJobs),
    ]
  }

  var shipping: [ViewNode] {
    [
      actions(.shipment), actions(.delivery),
      devices(
        at: [.readyToShip, .shipped, .delivered, .returned],
        [.status, .location, .assignedUser, .tracking, .delivery], empty: "Nothing is under way."),
    ]
  }

  var exceptions: [ViewNode] {
    let open = state.exceptions().filter(\.isOpen)
    let settled = state.exceptions().filter { !$0.isOpen }
    guard !open.isEmpty else {
      return [.text("Nothing is open.", style: .caption), exceptionTable(settled)]
    }
    return [
      exceptionTable(open),
      DeploymentVerb.settle.form(
        [
          ViewField(
            fieldID: "exception", label: "Exception", kind: .choice(open.map(\.id)), value: open[0].id),
          ViewField(
            fieldID: "state", label: "Is",
            kind: .choice([DeploymentException.State.acknowledged, .resolved, .waived].map(\.rawValue)),
            value: DeploymentException.State.resolved.rawValue),
          ViewField(fieldID: "note", label: "Why", kind: .text),
        ], submit: "Settle"),
      .text("Settled", style: .heading), exceptionTable(settled),
    ]
  }

  func exceptionTable(_ exceptions: [DeploymentException]) -> ViewNode {
    let rows = exceptions.suffix(100).map { exception in
      [
        ViewNode.text(exception.id), link(exception.serial),
        .badge(exception.severity.rawValue, tone: exception.blocks ? .error : .neutral),
        .text(exception.state.rawValue), .text(exception.summary), .text(exception.note),
      ]
    }
    return table(["ID", "Device", "Severity", "State", "What", "Note"], rows, empty: "There are none.")
  }

  var audit: [ViewNode] {
    [
      .text("\(state.audit.count) lines; the newest 200 are shown.", style: .caption),
      audit(state.audit, limit: 200),
      .text("Records", style: .heading),
      .text("All that the demo holds, as files with a manifest by which each can be checked."),
      DeploymentVerb.exportRecords.button("Write the records package"), exports(.records),
    ]
  }
}
