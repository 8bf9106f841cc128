internal import ForsettiModuleKit

/// The PreStage that is looked at: its devices, page by page.
struct OpenedView {
  let opened: OpenedPrestage
  let view: PrestageView

  var nodes: [ViewNode] {
    [
      .text(opened.prestage.label, style: .heading),
      .text("\(ScopeJob.devices(opened.scope.serials.count)) assigned."), .form(filter),
    ] + note + devices + sharing
  }

  private var filter: ViewForm {
    ViewForm(
      fields: [ViewField(fieldID: "text", label: "Serial number or name", kind: .text, value: opened.filter)],
      submitTitle: "Filter", eventType: view.type("filter"))
  }

  private var note: [ViewNode] {
    opened.devicesNote.map {
      [.text("Names and models are missing: \($0)", style: .caption)]
    } ?? []
  }

  private var devices: [ViewNode] {
    let shown = opened.shown
    guard !shown.isEmpty else {
      return opened.filter.isEmpty
        ? [.text("No device is assigned.")]
        : [
          .text("None of its devices matches \(opened.filter.quoted())."),
          view.button("Look for it in all PreStages", "find", ["serials": opened.filter]),
        ]
    }
    let rows = shown.map { device -> [ViewNode] in
      [
        .text(device.name ?? ""), .text(device.serial, style: .code), .text(device.model ?? ""),
        .text(device.udid ?? "", style: .code),
      ]
    }
    return [.table(columns: ["Name", "Serial number", "Model", "UDID"], rows: rows)] + pages
  }

  private var pages: [ViewNode] {
    guard opened.pages > 1 else { return [] }
    let (page, last) = (opened.page, opened.pages - 1)
    return [.text("Page \(page + 1) of \(opened.pages)", style: .caption)]
      + (page > 0 ? [view.button("Previous page", "page", ["page": "\(page - 1)"])] : [])
      + (page < last ? [view.button("Next page", "page", ["page": "\(page + 1)"])] : [])
  }

  private var sharing: [ViewNode] {
    [
      view.button("Share this page as Markdown", "share"), view.button("Export as a file", "export"),
      view.button("Close", "close"),
    ] + (view.state.shared.map { [.text($0, style: .code)] } ?? [])
  }
}
