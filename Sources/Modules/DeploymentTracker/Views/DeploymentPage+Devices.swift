internal import ForsettiModuleKit

// The grid, and a device's own page.
extension DeploymentPage {
  var devices: [ViewNode] {
    let grid = screen.grid
    let rows = grid.rows(of: state.sortedDevices)
    let columns = grid.layout.columns
    let cells = grid.visible(rows).map { device in
      columns.map { $0 == .serial ? link(device.serial) : ViewNode.text(device.text($0)) }
    }
    let names = DeploymentField.allCases.map(\.title)
    return [
      DeploymentVerb.scan.form(
        [ViewField(fieldID: "text", label: "Scan or type a serial number", kind: .text, isRequired: true)],
        submit: "Find"),
      DeploymentVerb.filter.form(
        [
          ViewField(
            fieldID: "field", label: "Column", kind: .choice([DeploymentGrid.Filter.anyField] + names),
            value: DeploymentGrid.Filter.anyField),
          ViewField(fieldID: "text", label: "Holds", kind: .text),
        ], submit: "Filter"),
      filters,
      DeploymentVerb.sort.form(
        [
          ViewField(fieldID: "field", label: "Sort by", kind: .choice(names), value: grid.sort.title),
          ViewField(
            fieldID: "descending", label: "Last first", kind: .toggle,
            value: grid.isDescending ? "true" : "false"),
        ], submit: "Sort"),
      DeploymentVerb.layout.form(
        [
          ViewField(
            fieldID: "layout", label: "Layout", kind: .choice(state.layouts.map(\.name)),
            value: grid.layout.name)
        ], submit: "Show"),
      .text(
        ([
          "\(rows.count) of \(state.devices.count) devices, page \(grid.page + 1) of "
            + "\(DeploymentGrid.pageCount(rows.count)), \(grid.layout.hiddenCount) columns hidden."
        ] + grid.layout.warnings).joined(separator: " "), style: .caption),
      table(columns.map(\.title), cells, empty: "No device matches; take a filter away."),
      pages(of: rows.count),
    ]
  }

  private var filters: ViewNode {
    guard !screen.grid.filters.isEmpty else { return .text("No filters.", style: .caption) }
    let words = screen.grid.filters.map { filter in
      ViewNode.text("\(filter.field?.title ?? "Any column") holds \(filter.text.quoted())")
    }
    return .list(words + [DeploymentVerb.clearFilters.button("Clear filters")])
  }

  private func pages(of rows: Int) -> ViewNode {
    let page = screen.grid.page
    var buttons: [ViewNode] = []
    if page > 0 { buttons.append(DeploymentVerb.page.button("Previous page", ["page": "\(page - 1)"])) }
    if page + 1 < DeploymentGrid.pageCount(rows) {
      buttons.append(DeploymentVerb.page.button("Next page", ["page": "\(page + 1)"]))
    }
    return .list(buttons)
  }

  func devicePage(_ device: DeploymentDevice) -> [ViewNode] {
    let known = DeploymentField.allCases.filter { !device.text($0).isEmpty }
    return [
      DeploymentVerb.open.button("Back to the grid", ["workspace": DeploymentWorkspace.devices.rawValue]),
      .text(device.serial, style: .heading),
      .badge(device.status.title, tone: device.status.isTerminal ? .success : .info),
      .keyValues(known.map { ViewKeyValue($0.title, .text(device.text($0))) }),
    ] + (device.record == .active ? work(on: device) : restoring(device)) + [
      .text("Exceptions", style: .heading), exceptionTable(state.exceptions(of: device.serial)),
      .text("History", style: .heading),
      audit(state.audit.filter { $0.subject == device.serial }, limit: 20),
    ]
  }

  private func work(on device: DeploymentDevice) -> [ViewNode] {
    let steps = DeploymentWorkflow.transitions(of: device)
    let verdicts = steps.map { step -> [ViewNode] in
      let verdict = DeploymentRules.verdict(of: step, for: device, in: state)
      return [
        .text(step.to.title), badge(verdict), .text(verdict.words), .text(step.needsReason ? "wanted" : ""),
      ]
    }
    guard !steps.isEmpty else { return [.text("No step leads on from here.", style: .caption)] }
    return [
      .text("Steps", style: .heading),
      .table(columns: ["To", "Gate", "What it says", "Reason"], rows: verdicts),
      DeploymentVerb.move.form(
        [
          subject(device),
          ViewField(
            fieldID: "to", label: "Step to", kind: .choice(steps.map(\.to.rawValue)),
            value: steps[0].to.rawValue),
          ViewField(fieldID: "reason", label: "Reason", kind: .text),
        ], submit: "Take the step"),
      DeploymentVerb.edit.form(
        [
          subject(device),
          ViewField(
            fieldID: "field", label: "Column",
            kind: .choice(DeploymentField.allCases.filter(\.isEditable).map(\.title))),
          ViewField(fieldID: "value", label: "Holds", kind: .text),
        ], submit: "Fill in"),
      DeploymentVerb.archive.form(
        [subject(device), TypedConfirmation(of: "archive-\(device.serial)").field], submit: "Archive"),
    ]
  }

  private func restoring(_ device: DeploymentDevice) -> [ViewNode] {
    guard device.status != .retired else {
      return [.text("A retired device stays where it is.", style: .caption)]
    }
    return [DeploymentVerb.restore.button("Restore", ["serial": device.serial])]
  }

  /// Binds a form to its device: another may be shown by the time it is sent.
  private func subject(_ device: DeploymentDevice) -> ViewField {
    ViewField(
      fieldID: "serial", label: "Device", kind: .choice([device.serial]), value: device.serial,
      isRequired: true)
  }

  private func badge(_ verdict: DeploymentVerdict) -> ViewNode {
    switch verdict {
    case .pass: .badge("open", tone: .success)
    case .notApplicable: .badge("not asked for", tone: .neutral)
    case .warning: .badge("open, with a warning", tone: .warning)
    case .blocked: .badge("closed", tone: .error)
    }
  }
}
