internal import ForsettiModuleKit

/// Draws the desk of reports.
struct ReportsView {
  let state: ReportsState
  /// The event type of a verb.
  let type: (String) -> String

  static let viewID = "reports"

  /// The whole view.
  var node: ViewNode {
    var nodes: [ViewNode] = [.text("Reports", style: .title)]
    if let notice = state.notice {
      nodes.append(.badge(notice.text, tone: notice.tone))
      if let advice = notice.advice { nodes.append(.text(advice)) }
    }
    nodes += fleet
    nodes.append(.text("Report", style: .heading))
    nodes += criteria
    nodes += [reportForm, button("Read for this report alone", "runAlone")]
    nodes += saved
    if let result = state.result { nodes += ReportResultView(result: result, state: state, type: type).nodes }
    nodes.append(.text("Location", style: .heading))
    nodes.append(locationForm)
    return .list(nodes)
  }

  // MARK: The fleet

  private var fleet: [ViewNode] {
    if let progress = state.progress {
      return [.progress(progress.share, label: progress.label), button("Cancel", "cancel")]
    }
    guard let snapshot = state.snapshot, let figures = state.fleet else {
      return [.text("The fleet has not been read yet."), button("Read the fleet", "refresh")]
    }
    let taken = "\(figures.total) devices, as of \(timestampText(snapshot.takenAt))"
    var nodes: [ViewNode] = [.text(taken), button("Read the fleet again", "refresh")]
    nodes += snapshot.warnings.map { .badge($0, tone: .warning) }
    if state.result == nil { nodes += ReportSection.fleet(figures).flatMap(\.nodes) }
    return nodes
  }

  // MARK: The report in the making

  private var criteria: [ViewNode] {
    let rows: [[ViewNode]] = state.draft.criteria.enumerated().map { place, criterion in
      [.text(criterion.summary), button("Remove", "removeCriterion", ["place": "\(place)"])]
    }
    let table: [ViewNode] = rows.isEmpty ? [] : [.table(columns: ["Criterion", ""], rows: rows)]
    return table + [
      .form(
        ViewForm(
          fields: [
            choice("field", "Field", ReportField.allCases.map(\.title), ReportField.name.title),
            choice(
              "comparison", "Comparison", ReportComparison.allCases.map(\.title),
              ReportComparison.equals.title),
            ViewField(fieldID: "value", label: "Value", kind: .text),
          ], submitTitle: "Add criterion", eventType: type("addCriterion")))
    ]
  }

  private var reportForm: ViewNode {
    let draft = state.draft
    return .form(
      ViewForm(
        fields: [
          ViewField(fieldID: "name", label: "Name", kind: .text, value: draft.name, isRequired: true),
          choice("scope", "Devices", ReportScope.allCases.map(\.title), draft.scope.title),
          choice("matching", "Match", ReportMatching.allCases.map(\.title), draft.matching.title),
          choice("grouping", "Count by", ReportGrouping.allCases.map(\.title), draft.grouping.title),
          choice("chart", "Draw", ReportChart.allCases.map(\.title), draft.chart.title),
        ], submitTitle: "Run", eventType: type("run")))
  }

  // MARK: Reports that are kept

  private var saved: [ViewNode] {
    let buttons: [ViewNode] = [button("Keep this report", "save"), button("New report", "new")]
    guard !state.saved.definitions.isEmpty else { return buttons }
    let rows: [[ViewNode]] = state.saved.definitions.map { definition in
      let payload = ["name": definition.name]
      return [
        .text(definition.name), .text(definition.summary), button("Open", "open", payload),
        button("Delete", "delete", payload),
      ]
    }
    return buttons + [.table(columns: ["Kept report", "What it finds", "", ""], rows: rows)]
  }

  private var locationForm: ViewNode {
    .form(
      ViewForm(
        fields: [
          ViewField(
            fieldID: "attribute", label: "Extension attribute that holds the location", kind: .text,
            value: state.locationAttribute ?? "")
        ], submitTitle: "Set", eventType: type("location")))
  }

  private func choice(_ id: String, _ label: String, _ titles: [String], _ value: String) -> ViewField {
    ViewField(fieldID: id, label: label, kind: .choice(titles), value: value)
  }

  private func button(_ title: String, _ verb: String, _ payload: [String: String]? = nil) -> ViewNode {
    .button(title: title, action: .publishEvent(eventType: type(verb), payload: payload))
  }
}

extension ReportSection {
  /// A heading and its chart.
  var nodes: [ViewNode] {
    let series = ViewChart.Series("Devices", counts.map { Double($0.count) })
    return [
      .text(title, style: .heading),
      .chart(ViewChart(chart == .bar ? .bar : .pie, labels: counts.map(\.label), series: [series])),
    ]
  }
}
