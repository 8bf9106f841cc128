internal import ForsettiModuleKit

/// The view `prestage-director`, drawn from what the desk has in memory.
struct PrestageView {
  let state: PrestageState
  /// The event type of a verb.
  let type: (String) -> String

  static let viewID = "prestage-director"

  var tree: ViewNode {
    .list(
      [.text("PreStages of mobile devices", style: .title)] + notice + work + JobView(view: self).nodes + list
        + (state.opened.map { OpenedView(opened: $0, view: self).nodes } ?? []) + search + planning)
  }

  func button(_ title: String, _ verb: String, _ payload: [String: String] = [:]) -> ViewNode {
    .button(title: title, action: .publishEvent(eventType: type(verb), payload: payload))
  }

  // MARK: - What is going on

  private var notice: [ViewNode] {
    switch state.notice {
    case nil: []
    case .done(let text): [.badge("Done", tone: .success), .text(text)]
    case .failed(let what, let advice):
      [.badge("Failed", tone: .error), .text(what), .text(advice, style: .caption)]
    }
  }

  private var work: [ViewNode] {
    guard let work = state.work else { return [] }
    let label = work.isCalledOff ? "\(work.title) (called off)" : work.title
    return [.progress(work.fraction, label: label)]
      + (work.isCalledOff ? [] : [button("Cancel", "cancel")])
  }

  // MARK: - PreStages

  private var list: [ViewNode] {
    guard let prestages = state.prestages else {
      return [.text("No PreStages have been read yet."), button("Read the PreStages", "refresh")]
    }
    let rows = prestages.prefix(Self.rowLimit).map { prestage -> [ViewNode] in
      [.text(prestage.name), .text(prestage.id, style: .code), button("Open", "open", ["id": prestage.id])]
    }
    let rest = prestages.count - rows.count
    return [.table(columns: ["PreStage", "ID", ""], rows: rows)]
      + (rest > 0
        ? [.text("\(rest) more are not listed; find devices by serial number.", style: .caption)] : [])
      + [button("Read again", "refresh")]
  }

  /// Rows of a table at most: a tree has 4,096 nodes.
  static let rowLimit = 200

  // MARK: - Finding

  private var search: [ViewNode] {
    let form = ViewForm(
      fields: [ViewField(fieldID: "serials", label: "Serial numbers", kind: .multiline, isRequired: true)],
      submitTitle: "Find", eventType: type("find"))
    return [.text("Find devices", style: .heading), .form(form)] + found
  }

  private var found: [ViewNode] {
    guard let places = state.found?.places else { return [] }
    let rows = places.prefix(Self.rowLimit).map { place -> [ViewNode] in
      guard let prestage = place.prestage else {
        return [.text(place.serial, style: .code), .badge("in no PreStage", tone: .warning), .text("")]
      }
      return [
        .text(place.serial, style: .code), .text(prestage.label), button("Open", "open", ["id": prestage.id]),
      ]
    }
    return [.table(columns: ["Serial number", "PreStage", ""], rows: rows)] + Self.rest(of: places.count)
  }

  static func rest(of count: Int) -> [ViewNode] {
    count > rowLimit ? [.text("\(count - rowLimit) more are not listed.", style: .caption)] : []
  }

  // MARK: - Planning

  private var planning: [ViewNode] {
    guard let prestages = state.prestages, !prestages.isEmpty else { return [] }
    let serials = ViewField(
      fieldID: "serials", label: "Serial numbers", kind: .multiline, isRequired: true)
    let move = ViewForm(
      fields: [
        serials,
        ViewField(
          fieldID: "destination", label: "To", kind: .choice(prestages.map(\.label)),
          value: prestages[0].label,
          isRequired: true),
      ], submitTitle: "Plan the move", eventType: type("plan-move"))
    let removal = ViewForm(
      fields: [serials], submitTitle: "Plan the removal", eventType: type("plan-removal"))
    return [
      .text("Move devices", style: .heading), .form(move), .text("Remove devices", style: .heading),
      .form(removal),
      .text("A plan changes nothing; it shows what would be done, and asks before it is.", style: .caption),
    ]
  }
}
