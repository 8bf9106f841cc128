internal import ForsettiModuleKit

// Doing something to a device. Whatever a button or a form says is judged here again: an event can come from anywhere.
extension SupportDesk {
  /// Does an action, or asks for the word that it needs.
  func perform(_ payload: [String: String]) async {
    guard let action = payload["action"].flatMap(SupportAction.init) else {
      change { $0.notice = .error("This is no action.") }
      return
    }
    guard let (id, device) = opened(payload) else {
      change {
        $0.notice = .error(
          "Nothing was done: another device is open than the one this was for.", "Open it again.")
      }
      return
    }
    let availability = SupportAvailability(action, on: device)
    guard availability.isPossible else {
      change { $0.notice = .error("\(action.title) can't be done.", availability.reason) }
      return
    }
    guard
      !journal.operations.contains(where: { $0.isPending && $0.order == .action(action) && $0.device == id })
    else {
      change { $0.notice = .error("\(action.title) is under way already.", "Wait for its end, below.") }
      return
    }
    guard let message = Self.message(payload) else {
      change {
        $0.notice = .error(
          "Nothing was done: the message is too long.", "Write \(SupportActionInput.messageLimit) bytes.")
      }
      return
    }
    guard isConfirmed(action, id, payload) else { return }
    change { state in
      state.page?.chosen = nil
      state.notice = nil
    }
    var dice = SystemRandomNumberGenerator()
    let input = SupportActionInput(pin: SecretMaker.pin(using: &dice), message: message)
    guard let procedure = SupportProcedure(action, on: device, input) else { return }
    let hasTicket = !(payload["ticket"] ?? "").isBlank
    guard let operation = await begin(.action(action), id, device, hasTicket: hasTicket) else { return }
    await run(procedure, .action(action), operation, id, device)
  }

  /// The device that a button or a form is for, if it is the one whose page is open.
  func opened(_ payload: [String: String]) -> (SupportDeviceID, SupportDevice)? {
    guard let page = state.page, page.id.text == payload["device"], let device = page.device else {
      return nil
    }
    return (page.id, device)
  }

  /// Whether the word was given, where one is needed; where not, the page asks for it.
  private func isConfirmed(
    _ action: SupportAction, _ id: SupportDeviceID, _ payload: [String: String]
  ) -> Bool {
    guard action.isTyped else { return true }
    let word = SupportConfirmation.word(action, on: id)
    if word.isGiven(in: payload) { return true }
    change { state in
      state.page?.chosen = action
      state.notice = payload[word.fieldID] == nil ? nil : .error(TypedConfirmation.advice)
    }
    return false
  }

  /// What a lost device is to show; nothing where it is too long.
  private static func message(_ payload: [String: String]) -> String? {
    let message = (payload["message"] ?? "").trimmedScalars
    guard message.utf8.count <= SupportActionInput.messageLimit else { return nil }
    return message.isEmpty ? SupportActionInput.usualMessage : message
  }

  /// Writes an order down: first the journal, then the order, so no crash can leave one that nobody knows of.
  /// - Returns: its ID; nothing where it can't be written, and nothing may be sent then.
  func begin(
    _ order: SupportOrder, _ id: SupportDeviceID, _ device: SupportDevice, hasTicket: Bool = false,
    note: String? = nil
  ) async -> String? {
    let now = WallClock.now()
    let operation = SupportOperation(
      id: Self.entryID(now), order: order, device: id, deviceName: device.name, hasTicket: hasTicket,
      note: note, begun: now)
    do throws(ServiceError) { try await journal.begin(operation) } catch {
      change { $0.notice = .error("Nothing was done: the journal can't be written (\(error)).") }
      return nil
    }
    await tellPending()
    return operation.id
  }

  /// Does what was written down, and takes what comes of it.
  func run(
    _ procedure: SupportProcedure, _ order: SupportOrder, _ operation: String, _ id: SupportDeviceID,
    _ device: SupportDevice
  ) async {
    let event: SupportOperation.Event
    do throws(SupportFailure) {
      event = take(try await SupportPerformer(jamf: jamf).perform(procedure), order)
    } catch {
      change { $0.notice = .error("\(order.title): \(error.what)", error.advice(order, on: id.kind)) }
      event = take(error, of: procedure)
    }
    await note(event, of: operation)
    follow()
    if state.page?.id == id { await readHistory(of: device, id) }
  }

  /// Shows what came of it. A secret goes into the vault, and nowhere else.
  private func take(_ outcome: SupportPerformer.Outcome, _ order: SupportOrder) -> SupportOperation.Event {
    switch outcome {
    case .accepted(let uuid, let secret):
      if let secret { keep(secret) }
      change { $0.notice = .success("\(order.title): Jamf Pro took it.") }
      return .accepted(uuid: uuid)
    case .secret(let secret):
      keep(secret)
      change { $0.notice = .success("\(order.title): it waits to be shown once.") }
      return .answered
    case .told(let text):
      change { $0.notice = .success(text) }
      return .answered
    }
  }

  /// Where nobody knows whether a device is locked now, its code must not be lost.
  private func take(_ failure: SupportFailure, of procedure: SupportProcedure) -> SupportOperation.Event {
    guard case .uncertain(let why) = failure else { return .refused(failure.what) }
    if case .send(_, let secret?) = procedure { keep(secret) }
    return .uncertain(why.what)
  }

  /// Takes what happened to an order, keeps it, and reports ends.
  func note(_ event: SupportOperation.Event, of id: String) async {
    do throws(ServiceError) {
      if let operation = try await journal.take(event, of: id), !operation.isPending {
        await report(operation)
      }
    } catch { context.logger.warning("what became of an order is in memory alone", error: error) }
    await tellPending()
  }

  /// Never which device, which user, which ticket, or what Jamf said: any of it may be personal.
  private func report(_ operation: SupportOperation) async {
    let isFine = operation.state == .accepted || operation.state == .done
    let report = DiagnosticReport(
      category: "support.action", severity: isFine ? .info : .warning,
      message: "An order has come to its end",
      metadata: [
        "action": operation.order.word, "outcome": operation.word,
        "kind": operation.device.kind.rawValue,
        "ticket": operation.hasTicket ? "present" : "none",
      ])
    do throws(ServiceError) { try await context.services.diagnostics?.emit(report) } catch {
      context.logger.warning("the end of an order could not be reported", error: error)
    }
  }

  /// What an entry of the journal is kept under: times sort, the rest tells those of one moment apart.
  static func entryID(_ now: Int64) -> String {
    let digits = String(max(0, now))
    return String(repeating: "0", count: max(0, 15 - digits.utf8.count)) + digits + "-"
      + RandomToken.make().prefix(8)
  }
}
