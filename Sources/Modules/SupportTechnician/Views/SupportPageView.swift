internal import ForsettiModuleKit

/// Draws the page of one device: what is known of it, what can be done, what was done.
struct SupportPageView {
  let page: SupportState.Page
  let operations: [SupportOperation]
  let admin: TemporaryAdminConfig
  let adminRun: TemporaryAdminRun?
  let applications: [ApplicationRun]
  /// Milliseconds since 1970.
  let now: Int64

  var nodes: [ViewNode] {
    let buttons: [ViewNode] = [
      SupportView.button("Back", "close"), SupportView.button("Read again", "reload", target),
    ]
    switch page.detail {
    case .running: return buttons + [.progress(nil, label: "Reading the device")]
    case .failed(let failure):
      return buttons + [
        .badge("The device could not be read", tone: .error), .text(failure.what), .text(failure.advice),
      ]
    case .ready(let detail):
      return buttons + [SupportView.button("Share", "share", target)] + confirmation(detail.device)
        + known(detail)
        + actions(detail.device) + remote(detail)
        + TemporaryAdminView(config: admin).nodes(of: detail, adminRun)
        + LocalPasswordView(device: detail.device).nodes + NoteView(device: detail.device).nodes
        + ApplicationView(device: detail.device, runs: applications).nodes + history
    }
  }

  private var target: [String: String] { ["device": page.id.text] }

  private func known(_ detail: SupportDetail) -> [ViewNode] {
    let device = detail.device
    let facts: [(String, String?)] = [
      ("Kind", device.kind.title), ("Serial number", device.serial), ("User", device.user),
      ("E-mail", device.email), ("Inventory ID", device.inventoryID), ("Management ID", device.managementID),
      ("PreStage", detail.prestage),
    ]
    let hints = detail.hints.map { ViewNode.badge($0.text, tone: $0.isWarning ? .warning : .info) }
    return [
      .text(device.name, style: .heading),
      .keyValues(facts.compactMap { key, value in value.map { ViewKeyValue(key, .text($0)) } }), .list(hints),
    ]
      + detail.sections.map { section in
        .list([
          .text(section.title, style: .heading),
          .keyValues(section.facts.map { ViewKeyValue($0.label, .text($0.value)) }),
        ])
      }
  }

  /// The word that is waited for, and what it is for.
  private func confirmation(_ device: SupportDevice) -> [ViewNode] {
    guard let action = page.chosen, let consequence = action.consequence else { return [] }
    let word = SupportConfirmation.word(action, on: page.id)
    var fields = [
      // A choice of one: the answer says what it is for, whoever has changed the desk meanwhile.
      ViewField(
        fieldID: "action", label: "Action", kind: .choice([action.rawValue]), value: action.rawValue,
        isRequired: true),
      ViewField(
        fieldID: "device", label: "Device", kind: .choice([page.id.text]), value: page.id.text,
        isRequired: true),
      word.field,
      ViewField(fieldID: "ticket", label: "Ticket (only whether there is one is kept)", kind: .text),
    ]
    if action == .enableLostMode {
      fields.append(
        ViewField(
          fieldID: "message", label: "Message on its screen", kind: .text,
          value: SupportActionInput.usualMessage))
    }
    return [
      .text("\(action.title): \(device.name)", style: .heading), .badge("Please confirm", tone: .warning),
      .text(consequence),
      SupportView.form("perform", fields, submit: action.title),
      SupportView.button("Leave it", "leave", target),
    ]
  }

  private func actions(_ device: SupportDevice) -> [ViewNode] {
    let suited = SupportAction.allCases.filter { $0.kinds.contains(device.kind) }
    let rows = suited.map { action -> [ViewNode] in
      let (button, reason) = offer(of: action, on: device)
      return [.text(action.title), button, .text(reason, style: .caption)]
    }
    return [
      .text("Actions", style: .heading),
      .table(columns: ["Action", "", "Whether it can be done"], rows: rows),
    ]
  }

  /// The button of an action, or what stands in its way; and why.
  private func offer(of action: SupportAction, on device: SupportDevice) -> (ViewNode, String) {
    let availability = SupportAvailability(action, on: device)
    let given = operations.filter { $0.order == .action(action) && $0.device == page.id }
    guard availability.isPossible else { return (.badge("not now", tone: .neutral), availability.reason) }
    guard !given.contains(where: \.isPending) else {
      return (.badge("under way", tone: .info), availability.reason)
    }
    guard !action.bringsCode(on: device.kind) || !given.contains(where: { $0.stands(at: now) }) else {
      return (.badge("ordered", tone: .warning), SupportOrder.standingAdvice)
    }
    let button = SupportView.button(
      action.title, "perform", ["action": action.rawValue, "device": page.id.text])
    return (button, availability.reason)
  }

  private func remote(_ detail: SupportDetail) -> [ViewNode] {
    RemoteSupportView(
      detail: detail, state: RemoteSupportState(detail.device, operations), override: page.remoteHost
    ).nodes
  }

  /// Commands that are shown.
  private static let shownCommands = 40

  private var history: [ViewNode] {
    let heading = ViewNode.text("Command history", style: .heading)
    switch page.history {
    case .running: return [heading, .progress(nil, label: "Reading the history")]
    case .failed(let failure): return [heading, .text(failure.what), .text(failure.advice)]
    case .ready(let history):
      guard !history.records.isEmpty else { return [heading, .text("It was sent no commands.")] }
      let counts = CommandBucket.allCases.map { bucket in
        ViewKeyValue(bucket.rawValue, .text("\(history.count(bucket))"))
      }
      let rows = history.records.prefix(Self.shownCommands).map { record -> [ViewNode] in
        [
          .text(record.type), .badge(record.bucket.rawValue, tone: record.bucket.tone),
          .text(record.issued ?? "", style: .caption), .text(record.completed ?? "", style: .caption),
          .text(record.reason ?? ""),
        ]
      }
      return [
        heading, .keyValues(counts),
        .table(columns: ["Command", "State", "Sent", "Ended", "Reason"], rows: rows),
      ]
    }
  }
}

extension CommandBucket {
  fileprivate var tone: ViewTone {
    switch self {
    case .completed: .success
    case .pending, .notNow: .info
    case .failed: .error
    case .other: .neutral
    }
  }
}
