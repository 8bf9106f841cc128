internal import ForsettiModuleKit

/// The tracker's view: a pure function of the demo's data and of what is looked at.
struct DeploymentPage {
  let state: DeploymentState
  let screen: DeploymentScreen

  static let viewID = "deployment-tracker"

  /// The whole of it.
  var node: ViewNode {
    var nodes: [ViewNode] = [
      .text("Deployment Tracker", style: .title),
      .badge("Demo: made-up data, no live actions", tone: .info),
      .list(
        DeploymentWorkspace.allCases.map { DeploymentVerb.open.button($0.title, ["workspace": $0.rawValue]) }),
    ]
    if let fault = screen.fault {
      nodes.append(
        notice(DeploymentScreen.Notice(tone: .error, text: fault, advice: "Reset the demo's data.")))
    }
    if let said = screen.notice { nodes.append(notice(said)) }
    nodes.append(.text(screen.workspace.title, style: .heading))
    nodes += workspace
    if screen.workspace != .guide, let topic = DeploymentGuide.topic(of: screen.workspace) {
      nodes.append(.text("\(topic.title): \(topic.text)", style: .caption))
    }
    return .list(nodes)
  }

  private func notice(_ notice: DeploymentScreen.Notice) -> ViewNode {
    let word = notice.tone == .success ? "Done" : notice.tone == .error ? "Not done" : "Refused"
    return .list([
      .badge(word, tone: notice.tone),
      .text([notice.text, notice.advice].joined(separator: " ").trimmedScalars),
    ])
  }

  private var workspace: [ViewNode] {
    switch screen.workspace {
    case .dashboard: dashboard
    case .devices: screen.selected.flatMap { state.devices[$0] }.map(devicePage) ?? devices
    case .projects: projects
    case .imports: imports
    case .business: business
    case .preload: preload
    case .serviceDesk: serviceDesk
    case .shipping: shipping
    case .exceptions: exceptions
    case .audit: audit
    case .scenarios: scenarios
    case .guide: guide
    case .administration: administration
    }
  }

  // MARK: - Parts of several pages

  /// A table, or a line that says that it is empty.
  func table(_ columns: [String], _ rows: [[ViewNode]], empty: String) -> ViewNode {
    rows.isEmpty ? .text(empty, style: .caption) : .table(columns: columns, rows: rows)
  }

  /// A button that opens a device's page.
  func link(_ serial: String) -> ViewNode { DeploymentVerb.device.button(serial, ["serial": serial]) }

  /// Simulates an action, and beside it tries it for real.
  func actions(_ action: DeploymentLiveAction) -> ViewNode {
    let waiting = state.activeDevices.count { DeploymentSimulator.waits($0, for: action, in: state) }
    return .list([
      .text("\(action.title): \(waiting) waiting"),
      DeploymentVerb.simulate.button("Simulate", ["action": action.rawValue]),
      DeploymentVerb.live.button("Do it for real", ["action": action.rawValue]),
    ])
  }

  /// The devices at some statuses, with a few fields.
  func devices(at statuses: [DeploymentStatus], _ fields: [DeploymentField], empty: String) -> ViewNode {
    let rows = state.activeDevices.filter { statuses.contains($0.status) }.map { device in
      [link(device.serial)] + fields.map { ViewNode.text(device.text($0)) }
    }
    return table([DeploymentField.serial.title] + fields.map(\.title), rows, empty: empty)
  }

  /// The choice of a project for a file.
  var projectField: ViewField {
    ViewField(
      fieldID: "project", label: "Project",
      kind: .choice([DeploymentProject.every] + state.projects.map(\.id)),
      value: DeploymentProject.every)
  }

  /// The files of a kind that were written, newest first.
  func exports(_ kind: DeploymentExport.Kind) -> ViewNode {
    let rows = state.exports.reversed().filter { $0.kind == kind }.prefix(10).map { export in
      [
        ViewNode.text(export.fileName, style: .code), .text(export.scope), .text("\(export.version)"),
        .text("\(export.deviceCount)"),
      ]
    }
    return table(["File", "Project", "Version", "Devices"], rows, empty: "No file was written yet.")
  }

  /// Lines of the audit, newest first.
  func audit(_ entries: [DeploymentChange], limit: Int) -> ViewNode {
    let rows = entries.suffix(limit).reversed().map { entry in
      [
        ViewNode.text(timestampText(entry.time), style: .code), .text(entry.action.rawValue),
        .text(entry.subject),
        .text(entry.detail),
      ]
    }
    return table(["Time", "Action", "Subject", "What happened"], rows, empty: "Nothing happened yet.")
  }
}
