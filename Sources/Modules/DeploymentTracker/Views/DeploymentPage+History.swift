internal import ForsettiModuleKit

// What other systems have said and taken before the demo begins.
extension DeploymentPage {
  var businessHistory: [ViewNode] {
    let records = state.history.business.map { record in
      [
        link(record.serial), ViewNode.text(record.partNumber), .text(record.order),
        .text(record.server ?? "none"), .text(record.answer.rawValue),
        .text(CivilTime(milliseconds: record.time).dateText),
      ]
    }
    let models = state.history.catalogue.map { entry in
      [
        ViewNode.text(entry.kind.rawValue), .text(entry.model.name),
        .text(entry.model.partNumber, style: .code),
      ]
    }
    return [
      .text("What Apple Business said", style: .heading),
      table(
        [DeploymentField.serial.title, "Part Number", "Order", "Server", "Answer", "On"], records,
        empty: "It was not asked yet."),
      .text("Catalogue", style: .heading),
      table(["Type", "Model", "Part Number"], models, empty: "It is empty."),
    ]
  }

  var preloadHistory: [ViewNode] {
    let found = state.history.preloads(of: screen.preloadSerial).map { record in
      [
        link(record.serial), ViewNode.text(record.type), .text(record.username), .text(record.email),
        .text(record.department), .text(record.building),
      ]
    }
    return [
      .text("Before the demo", style: .heading), handovers(state.history.submissions),
      .text("Records in the preload", style: .heading),
      DeploymentVerb.findPreload.form(
        [
          ViewField(
            fieldID: "serial", label: "Serial number; blank for all", kind: .text, value: screen.preloadSerial
          )
        ], submit: "Find the record"),
      table(
        [DeploymentField.serial.title, "Type", "Username", "Email", "Department", "Building"], found,
        empty: "The preload has no record of \(screen.preloadSerial.quoted()); look for another, or for all."),
    ]
  }

  func handovers(_ handovers: [DeploymentHistory.Handover]) -> ViewNode {
    let rows = handovers.map { handover in
      [
        ViewNode.text(handover.id, style: .code), .text(handover.project),
        .text(CivilTime(milliseconds: handover.time).dateText), .text("\(handover.devices.count)"),
        .badge(handover.state.rawValue, tone: handover.state == .failed ? .error : .success),
        .text(handover.note),
      ]
    }
    return table(
      ["ID", "Project", "On", "Devices", "State", "Note"], rows, empty: "Nothing was handed over.")
  }
}
