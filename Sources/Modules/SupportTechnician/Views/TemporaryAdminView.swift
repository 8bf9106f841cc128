internal import ForsettiModuleKit

/// Draws temporary administrator rights: on the page of a Mac, and their setting.
struct TemporaryAdminView {
  let config: TemporaryAdminConfig

  /// For one Mac.
  func nodes(of detail: SupportDetail, _ run: TemporaryAdminRun?) -> [ViewNode] {
    guard config.isEnabled, let id = detail.device.id, id.kind == .computer else { return [] }
    var nodes: [ViewNode] = [.text("Temporary administrator", style: .heading)]
    if let run {
      nodes += [.badge(run.title, tone: Self.tone(run)), .text(run.advice)]
      if case .elevated(let until?) = run.state {
        nodes.append(.text("Until \(timestampText(until))", style: .caption))
      }
      if run.isOpen { nodes.append(SupportView.button("Look now", "refresh")) }
    }
    guard detail.fact("Managed") == "yes" else {
      return nodes + [.text(TemporaryAdminRefusal.notManagedMac.advice)]
    }
    if run?.isOpen != true, !config.offered.isEmpty { nodes.append(request(id)) }
    if config.demoteGroup != nil {
      nodes.append(SupportView.button("Take rights away", "demote", ["device": id.text]))
    }
    return nodes
  }

  private func request(_ id: SupportDeviceID) -> ViewNode {
    let minutes = config.offered.map(String.init)
    return SupportView.form(
      "elevate",
      [
        SupportView.macField(id),
        ViewField(
          fieldID: "minutes", label: "Minutes", kind: .choice(minutes), value: minutes.first ?? "",
          isRequired: true),
        ViewField(fieldID: "reason", label: "Why (not kept)", kind: .text, isRequired: true),
        ViewField(
          fieldID: "ticket", label: "Ticket (not kept)", kind: .text, isRequired: config.requiresTicket),
        SupportConfirmation.adminWord(id).field,
      ], submit: "Make administrator")
  }

  /// The setting, for whoever looks at no device.
  var setting: [ViewNode] {
    let form = config.form
    func field(_ key: String, _ label: String, _ kind: ViewField.Kind) -> ViewField {
      ViewField(fieldID: key, label: label, kind: kind, value: form[key] ?? "")
    }
    typealias Key = TemporaryAdminConfig.Key
    let groups = TemporaryAdminConfig.durations.map {
      field(Key.group($0), "ID of the static group for \($0) minutes", .text)
    }
    let state: ViewNode =
      if config.isComplete { .badge("Set up", tone: .success) } else if config.isEnabled {
        .badge("Not all durations are set up", tone: .warning)
      } else { .badge("Off", tone: .neutral) }
    return [
      .text("Temporary administrator rights", style: .heading), state,
      .text(
        "An administrator of Jamf Pro makes the groups and the policies that act on them; here a Mac is put into a group and "
          + "taken out again.", style: .caption),
      SupportView.form(
        "configure-admin",
        [field(Key.enabled, "Offered here", .toggle), field(Key.ticket, "A ticket is required", .toggle)]
          + groups + [
            field(Key.demote, "ID of the static group whose Macs lose the rights", .text),
            field(Key.timeout, "Minutes that a Mac has to report", .number),
            field(Key.cleanup, "Take a Mac out of the group that has not reported", .toggle),
          ], submit: "Keep"),
    ]
  }

  private static func tone(_ run: TemporaryAdminRun) -> ViewTone {
    if run.cleanupFault != nil { return .warning }
    return switch run.state {
    case .requesting, .waiting: .info
    case .elevated, .alreadyAdmin: .warning
    case .demoted: .success
    case .timedOut, .failed: .error
    }
  }
}
