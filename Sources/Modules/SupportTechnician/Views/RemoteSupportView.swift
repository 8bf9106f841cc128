internal import ForsettiModuleKit

/// Draws remote support of a Mac: there is no viewer here, so it says where one finds the Mac.
struct RemoteSupportView {
  let detail: SupportDetail
  let state: RemoteSupportState
  /// What somebody entered for the Mac's address.
  let override: String?

  var nodes: [ViewNode] {
    guard state != .unsupported else { return [] }
    return [
      .text("Remote support", style: .heading), .badge(state.title, tone: tone), .text(state.advice),
    ] + target + steps
  }

  private var payload: [String: String] { ["device": detail.device.id?.text ?? ""] }

  private var target: [ViewNode] {
    guard state.mayOpen else { return [] }
    let host = ViewField(fieldID: "host", label: "Another address", kind: .text, value: override ?? "")
    let form = form("aim", host, submit: "Use it")
    guard let target = RemoteTarget(RemoteTarget.hints(detail, override: override)) else {
      return [.text("Jamf Pro knows no address of this Mac; enter one."), form]
    }
    return [
      .keyValues([
        ViewKeyValue("Address", .text(target.url, style: .code)),
        ViewKeyValue("Taken from", .text("\(target.source) (\(target.confidence.rawValue) confidence)")),
      ]), form,
    ]
  }

  private var steps: [ViewNode] {
    var nodes: [ViewNode] = []
    if state.mayPrepare { nodes.append(SupportView.button("Switch on", "prepare", payload)) }
    guard state.mayEnd else { return nodes }
    nodes.append(SupportView.button("Switch off", "end", payload))
    let reason = ViewField(fieldID: "reason", label: "Why it stays on", kind: .text, isRequired: true)
    return nodes + [form("leave-on", reason, submit: "Leave it on")]
  }

  /// A form with one field beside the Mac it is for.
  private func form(_ verb: String, _ field: ViewField, submit: String) -> ViewNode {
    SupportView.form(
      verb, (detail.device.id.map { [SupportView.macField($0)] } ?? []) + [field], submit: submit)
  }

  private var tone: ViewTone {
    switch state {
    case .readyToOpen, .ended: .success
    case .failed: .error
    case .cleanupNeeded, .leftOn, .readinessUnknown, .needsManagementID: .warning
    case .queueingEnable, .waitingForCheckIn, .queueingDisable: .info
    case .unsupported, .readyToPrepare: .neutral
    }
  }
}
