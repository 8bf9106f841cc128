internal import ForsettiModuleKit

// The pages that change no device: import preview, scenarios, guide, administration.
extension DeploymentPage {
  var imports: [ViewNode] {
    let form = DeploymentVerb.preview.form(
      [
        ViewField(
          fieldID: "format", label: "Format", kind: .choice(ImportPreview.Format.allCases.map(\.rawValue)),
          value: ImportPreview.Format.csv.rawValue),
        ViewField(fieldID: "text", label: "Rows", kind: .multiline, isRequired: true),
      ], submit: "Preview")
    guard let preview = screen.preview else { return [form] }
    let columns = preview.columns.map { column in
      [ViewNode.text(column.title), .text(column.field?.title ?? "left out")]
    }
    let issues = preview.issues.map { issue in
      [
        ViewNode.text("\(issue.position.line):\(issue.position.column)", style: .code),
        .badge(issue.isWarning ? "warning" : "fault", tone: issue.isWarning ? .warning : .error),
        .text(issue.text),
      ]
    }
    let rows = preview.rows.prefix(100).map { row in
      [
        ViewNode.text("\(row.line)"), .text(row.serial), .text(row.values[.deviceType] ?? ""),
        .text(row.values[.model] ?? ""), .text(row.hasFault ? "fault" : row.isKnown ? "known" : "new"),
      ]
    }
    return [
      form,
      .text(
        "\(preview.newCount) new, \(preview.knownCount) known, \(preview.faultCount) with faults. This is a preview: "
          + "nothing was imported."),
      table(["Line", "Serial Number", "Device Type", "Model", "Row"], rows, empty: "There are no rows."),
      .text("Issues", style: .heading),
      table(["Line:column", "", "What"], issues, empty: "None."),
      .text(
        preview.moreIssues > 0 ? "\(preview.moreIssues) more issues are not listed." : "", style: .caption),
      .text("Columns", style: .heading), table(["In the text", "Here"], columns, empty: "None."),
    ]
  }

  var scenarios: [ViewNode] {
    let rows = DeploymentScenario.all.map { scenario in
      [
        ViewNode.text(scenario.title), .text("\(scenario.steps.count)"), .text(scenario.start.title),
        DeploymentVerb.startScenario.button("Begin", ["scenario": scenario.id]),
      ]
    }
    return runner + [.table(columns: ["Scenario", "Steps", "Begins at", ""], rows: rows)]
  }

  private var runner: [ViewNode] {
    guard let run = screen.run else { return [] }
    let steps = run.scenario.steps.enumerated().map { place, step in
      [
        ViewNode.text("\(place + 1)"), .text(step.title), .text(step.expected),
        place < run.done ? .badge("done", tone: .success) : .badge("to do"),
      ]
    }
    return [
      .text("\(run.scenario.title), with \(run.serial)", style: .heading),
      .table(columns: ["Step", "Do", "Then", ""], rows: steps),
      run.next.map { DeploymentVerb.nextStep.button($0.title) }
        ?? .badge("The scenario is done", tone: .success),
      link(run.serial),
    ]
  }

  var guide: [ViewNode] {
    let found = DeploymentGuide.search(screen.guideQuery)
    let topics = found.map { topic in
      [
        ViewNode.text(topic.title), .text(topic.text),
        DeploymentVerb.open.button(topic.workspace.title, ["workspace": topic.workspace.rawValue]),
      ]
    }
    return [
      DeploymentVerb.guide.form(
        [ViewField(fieldID: "query", label: "Look for", kind: .text, value: screen.guideQuery)],
        submit: "Search"),
      table(["Topic", "", "Page"], topics, empty: "No topic has all these words; use fewer."),
    ]
  }

  var administration: [ViewNode] {
    let layouts = state.layouts.map { layout in
      [
        ViewNode.text(layout.name), .text(layout.columns.map(\.title).joined(separator: ", ")),
        layout.isBuiltIn
          ? .text("") : DeploymentVerb.removeLayout.button("Remove", ["layout": layout.name]),
      ]
    }
    return [
      .keyValues([
        ViewKeyValue("Data", .text(DeploymentSeed.version)),
        ViewKeyValue("Live actions", .text("refused, each of them")),
        ViewKeyValue("Changes since the reset", .text("\(state.audit.count - DeploymentSeed.auditCount)")),
      ]),
      .text("Layouts", style: .heading), .table(columns: ["Layout", "Columns", ""], rows: layouts),
      DeploymentVerb.saveLayout.form(
        [
          ViewField(fieldID: "name", label: "Name", kind: .text, isRequired: true),
          ViewField(
            fieldID: "columns", label: "Columns, with commas between them", kind: .text,
            value: screen.grid.layout.columns.map(\.title).joined(separator: ", "), isRequired: true),
        ], submit: "Keep the layout"),
      .text("Reset", style: .heading),
      .text("Brings back the data that the demo began with; all changes and layouts go."),
      DeploymentVerb.reset.form([TypedConfirmation(of: "reset").field], submit: "Reset the demo"),
    ]
  }
}
