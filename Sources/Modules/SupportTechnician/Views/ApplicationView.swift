internal import ForsettiModuleKit

/// Draws the applications that were ordered for a Mac, and the form for another.
struct ApplicationView {
  let device: SupportDevice
  /// Newest first.
  let runs: [ApplicationRun]

  /// Orders that are shown.
  private static let shown = 10

  var nodes: [ViewNode] {
    guard device.kind == .computer, device.managementID != nil, let id = device.id else { return [] }
    let rows = runs.prefix(Self.shown).map { run -> [ViewNode] in
      [
        .text("\(run.order.verb.title) \(run.order.application)"),
        .text(timestampText(run.begun), style: .caption), .badge(run.title, tone: Self.tone(run)),
        .text(run.advice),
      ]
    }
    let known: [ViewNode] =
      rows.isEmpty ? [] : [.table(columns: ["Application", "Ordered", "State", "What is known"], rows: rows)]
    let look = runs.contains(where: \.isOpen) ? [SupportView.button("Look now", "refresh")] : []
    return [
      .text("Applications", style: .heading),
      .text(
        "Jamf Pro must have policies with the triggers install-NAME and uninstall-NAME. One is asked for once, on this Mac.",
        style: .caption),
    ] + known + look + [form(id)]
  }

  private func form(_ id: SupportDeviceID) -> ViewNode {
    let verbs = ApplicationOrder.Verb.allCases.map(\.rawValue)
    return SupportView.form(
      "application",
      [
        SupportView.macField(id),
        ViewField(
          fieldID: "verb", label: "What", kind: .choice(verbs), value: verbs.first ?? "", isRequired: true),
        ViewField(fieldID: "application", label: "Name of the application", kind: .text, isRequired: true),
        SupportConfirmation.applicationWord(id).field,
      ], submit: "Do it")
  }

  private static func tone(_ run: ApplicationRun) -> ViewTone {
    switch run.state {
    case .preparing, .waiting: .info
    case .done: run.needsCleanup ? .warning : .success
    case .failed: .error
    case .late: .warning
    }
  }
}
