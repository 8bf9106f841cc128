internal import ForsettiModuleKit

/// What people may do, judged before it is done. Each answers a change that is still to be kept and applied.
enum DeploymentRules {
  /// Bytes of a value or reason that somebody typed.
  static let valueLimit = 200

  /// A step of the workflow.
  static func move(
    _ serial: String, to name: String, reason: String, in state: DeploymentState, at time: Int64
  ) throws(DeploymentRefusal) -> DeploymentChange {
    let device = try active(serial, in: state)
    guard let target = DeploymentStatus(rawValue: name) else { throw .unknownStatus(name) }
    let steps = DeploymentWorkflow.transitions(of: device)
    guard let step = steps.first(where: { $0.to == target }) else {
      throw .noTransition(from: device.status, to: target)
    }
    let reason = try line(reason, for: .statusReason)
    guard !step.needsReason || !reason.isEmpty else { throw .reasonMissing(to: target) }
    let verdict = verdict(of: step, for: device, in: state)
    if case .blocked(let why) = verdict { throw .gateBlocked(step.gate, why) }
    var detail = "\(device.status.title) to \(target.title)"
    if !reason.isEmpty { detail += ": \(reason)" }
    if case .warning(let warning) = verdict { detail += " (\(warning))" }
    return DeploymentChange(
      time: time, action: .moved, subject: device.serial, detail: detail,
      edits: moved(device, to: target, reason: reason, at: time, in: state))
  }

  /// What a step's gate says of a device now.
  static func verdict(
    of step: DeploymentTransition, for device: DeploymentDevice, in state: DeploymentState
  ) -> DeploymentVerdict {
    step.gate.judge(
      device, project: state.project(of: device), exceptions: state.exceptions(of: device.serial))
  }

  /// A refused step is worth a line of the audit too.
  static func refusedMove(
    _ serial: String, to name: String, _ refusal: DeploymentRefusal, at time: Int64
  ) -> DeploymentChange {
    DeploymentChange(
      time: time, action: .moveRefused, subject: serial.plain(limit: valueLimit),
      detail: "To \(name.plain(limit: valueLimit)) refused. \(refusal.what)")
  }

  private static func moved(
    _ device: DeploymentDevice, to target: DeploymentStatus, reason: String, at time: Int64,
    in state: DeploymentState
  ) -> [DeploymentEdit] {
    var device = touched(device, at: time)
    device.resume = target.isAside ? device.status : nil
    device.status = target
    device.details[.statusReason] = reason.isEmpty ? nil : reason
    switch target {
    case .retired: device.record = .archived
    case .received:
      // A device that came back begins anew.
      (device.business, device.preload, device.serviceDesk) = (.unchecked, .none, .none)
      for field in [DeploymentField.ticket, .tracking, .delivery] { device.details[field] = nil }
    case .exception:
      let exception = DeploymentException(
        id: state.exceptionID(), serial: device.serial, code: "manual", severity: .blocking,
        summary: reason)
      return [.device(device), .exception(exception)]
    default: break
    }
    return [.device(device)]
  }

  /// Fills in a field.
  static func edit(
    _ serial: String, _ field: DeploymentField, to value: String, in state: DeploymentState, at time: Int64
  ) throws(DeploymentRefusal) -> DeploymentChange {
    guard field.isEditable else { throw .notEditable(field) }
    let before = try active(serial, in: state)
    let value = try line(value, for: field)
    var device = touched(before, at: time)
    if field == .project {
      guard value.isEmpty || state.projects.contains(where: { $0.id == value }) else {
        throw .unknownProject(value)
      }
      device.project = value.isEmpty ? nil : value
    } else {
      device.details[field] = value.isEmpty ? nil : value
    }
    return DeploymentChange(
      time: time, action: .edited, subject: device.serial,
      detail: "\(field.title): \(before.text(field).quoted()) to \(value.quoted())", edits: [.device(device)])
  }

  /// Takes a device out of the work, or back.
  static func setRecord(
    _ record: DeploymentDevice.Record, of serial: String, in state: DeploymentState, at time: Int64
  ) throws(DeploymentRefusal) -> DeploymentChange {
    let before = try state.device(serial)
    guard before.record != record else {
      throw .nothingToDo("\(before.serial) is \(record.rawValue) already.")
    }
    var device = touched(before, at: time)
    device.record = record
    return DeploymentChange(
      time: time, action: record == .archived ? .archived : .restored, subject: device.serial,
      detail: "\(before.record.rawValue) to \(record.rawValue)", edits: [.device(device)])
  }

  /// Ends an exception, or says that it was seen.
  static func settle(
    _ id: String, as settled: DeploymentException.State, note: String, in state: DeploymentState,
    at time: Int64
  ) throws(DeploymentRefusal) -> DeploymentChange {
    guard var exception = state.exceptions[id] else { throw .unknownException(id) }
    guard exception.isOpen, exception.state != settled else { throw .settled(id) }
    let note = try line(note, for: .statusReason)
    // A waiver takes a risk, so somebody says why.
    guard settled != .waived || !note.isEmpty else { throw .reasonMissing(to: .exception) }
    (exception.state, exception.note) = (settled, note)
    return DeploymentChange(
      time: time, action: .exceptionSettled, subject: exception.serial,
      detail: "\(id) \(settled.rawValue)" + (note.isEmpty ? "" : ": \(note)"), edits: [.exception(exception)])
  }

  /// Keeps a layout under its name.
  static func save(_ layout: DeploymentLayout, in state: DeploymentState, at time: Int64)
    throws(DeploymentRefusal) -> DeploymentChange
  {
    guard !DeploymentLayout.builtIn.contains(where: { $0.name == layout.name }) else {
      throw .builtInLayout(layout.name)
    }
    guard state.ownLayouts[layout.name] != nil || state.ownLayouts.count < DeploymentLayout.limit else {
      throw .tooManyLayouts
    }
    return DeploymentChange(
      time: time, action: .layoutSaved, subject: layout.name, detail: "\(layout.columns.count) columns",
      edits: [.layout(layout)])
  }

  /// Removes a layout of somebody's own.
  static func removeLayout(_ name: String, in state: DeploymentState, at time: Int64)
    throws(DeploymentRefusal) -> DeploymentChange
  {
    guard state.ownLayouts[name] != nil else {
      throw DeploymentLayout.builtIn.contains { $0.name == name }
        ? .builtInLayout(name) : .unknownLayout(name)
    }
    return DeploymentChange(
      time: time, action: .layoutRemoved, subject: name, detail: "Removed", edits: [.layoutRemoved(name)])
  }

  // MARK: - Parts of all of them.

  /// A device as its next version.
  static func touched(_ device: DeploymentDevice, at time: Int64) -> DeploymentDevice {
    var device = device
    device.version += 1
    device.updated = time
    return device
  }

  private static func active(_ serial: String, in state: DeploymentState) throws(DeploymentRefusal)
    -> DeploymentDevice
  {
    let device = try state.device(serial)
    guard device.record == .active else { throw .archived(device.serial) }
    return device
  }

  private static func line(_ text: String, for field: DeploymentField) throws(DeploymentRefusal) -> String {
    let text = text.trimmedScalars
    guard text.utf8.count <= valueLimit, !text.unicodeScalars.contains(where: \.isUnfitForDisplay) else {
      throw .unfitValue(field)
    }
    return text
  }
}
