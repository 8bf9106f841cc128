internal import ForsettiModuleKit

/// Draws what a report found.
struct ReportResultView {
  let result: ReportResult
  let state: ReportsState
  let type: (String) -> String

  /// Groups that are listed under their chart.
  private static let groupLimit = 100
  private static let columns: [ReportField] = [
    .deviceType, .name, .serialNumber, .model, .osVersion, .building, .department, .managed,
  ]

  var nodes: [ViewNode] {
    let definition = result.definition
    var nodes: [ViewNode] = [
      .text("\(definition.name): \(result.devices.count) devices", style: .heading),
      .text(definition.summary),
    ]
    nodes += exports
    guard !result.devices.isEmpty else { return nodes + [.text("No device fulfils it.")] }
    nodes += ReportSection.all(of: result).prefix(1).flatMap(\.nodes)
    nodes.append(groups)
    nodes += devices
    nodes += ReportSection.all(of: result).dropFirst().flatMap(\.nodes)
    return nodes
  }

  private var exports: [ViewNode] {
    ReportFormat.allCases.map { format in
      .button(
        title: "Export \(format.title)",
        action: .publishEvent(eventType: type("export"), payload: ["format": format.rawValue]))
    }
  }

  private var groups: ViewNode {
    .table(
      columns: [result.definition.grouping.title, "Devices"],
      rows: result.groups.prefix(Self.groupLimit).map { [.text($0.label), .text("\($0.count)")] })
  }

  private var devices: [ViewNode] {
    let first = state.page * ReportsState.pageSize
    let shown = result.devices.dropFirst(first).prefix(ReportsState.pageSize)
    let rows: [[ViewNode]] = shown.map { device in Self.columns.map { .text(device.text(of: $0) ?? "") } }
    var nodes: [ViewNode] = [
      .text("Devices \(first + 1) to \(first + shown.count) of \(result.devices.count)", style: .caption),
      .table(columns: Self.columns.map(\.title), rows: rows),
    ]
    if state.page > 0 { nodes.append(pageButton("Previous", state.page - 1)) }
    if state.page < state.pageCount - 1 { nodes.append(pageButton("Next", state.page + 1)) }
    return nodes
  }

  private func pageButton(_ title: String, _ page: Int) -> ViewNode {
    .button(title: title, action: .publishEvent(eventType: type("page"), payload: ["page": "\(page)"]))
  }
}
