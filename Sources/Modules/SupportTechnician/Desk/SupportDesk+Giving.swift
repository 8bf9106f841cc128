internal import ForsettiModuleKit

// Giving orders, and taking what comes of them.
extension SupportDesk {
  /// What is the same order where it is given twice.
  struct Claim: Hashable {
    let order: SupportOrder
    let device: SupportDeviceID
  }

  /// Gives an order, unless the same is without an answer for the same device: a button that is pressed twice gives one. Where
  /// it brings a secret, as the code of a lock, one that stands counts too: of two codes nobody knows which one holds.
  ///
  /// Returns at once, so that what a button says next is judged while this is on its way.
  func give(
    _ order: SupportOrder, _ procedure: SupportProcedure, to id: SupportDeviceID, _ device: SupportDevice,
    hasTicket: Bool = false
  ) {
    let claim = Claim(order: order, device: id)
    guard !isUnanswered(claim) else {
      return change { $0.notice = .error("\(order.title) is under way already.", "Wait for its end, below.") }
    }
    guard !procedure.bringsSecret || !stands(claim) else {
      return change {
        $0.notice = .error(
          "\(order.title) was ordered before, and the device has not answered yet.",
          SupportOrder.standingAdvice)
      }
    }
    guard !procedure.bringsSecret || holdPlace() else { return }
    claims.insert(claim)
    change { $0.notice = nil }
    Task {
      if let operation = await begin(order, id, device, hasTicket: hasTicket) {
        await note(await carry(procedure, claim, device), of: operation)
      } else if procedure.bringsSecret {
        change { $0.vault.release() }
      }
      claims.remove(claim)
      follow()
      if state.page?.id == id { await readHistory(of: device, id) }
    }
  }

  private func isUnanswered(_ claim: Claim) -> Bool {
    claims.contains(claim)
      || journal.operations.contains {
        $0.isPending && $0.order == claim.order && $0.device == claim.device
      }
  }

  private func stands(_ claim: Claim) -> Bool {
    let now = WallClock.now()
    return journal.operations.contains {
      $0.order == claim.order && $0.device == claim.device && $0.stands(at: now)
    }
  }

  /// Holds a place for a secret, or says which ones have to be read first: none may be lost, and an order whose secret
  /// nobody could see must not be given.
  private func holdPlace() -> Bool {
    var hasPlace = false
    change { hasPlace = $0.vault.reserve() }
    guard !hasPlace else { return true }
    let waiting = state.vault.titles.map(\.title)
    let list = waiting.isEmpty ? "those of orders under way" : waiting.joined(separator: "; ")
    change {
      $0.notice = .error(
        "Nothing was done: there is no room for a further secret. These wait to be read: \(list).",
        "Show one of them, above; then do it again.")
    }
    return false
  }

  /// Writes an order down: first the journal, then the order, so no crash can leave one that nobody knows of.
  /// - Returns: its ID; nothing where it can't be written, and nothing may be sent then.
  func begin(
    _ order: SupportOrder, _ id: SupportDeviceID, _ device: SupportDevice, hasTicket: Bool = false,
    note: String? = nil
  ) async -> String? {
    let now = WallClock.now()
    let operation = SupportOperation(
      id: EntryID.make(at: now), order: order, device: id, deviceName: device.name, hasTicket: hasTicket,
      note: note, begun: now)
    do throws(ServiceError) { try await journal.begin(operation) } catch {
      change {
        $0.notice = .error("Nothing was done: the journal can't be written (\(error)).", error.advice)
      }
      return nil
    }
    await tellPending()
    return operation.id
  }

  /// Does what was written down, and shows what came of it.
  private func carry(
    _ procedure: SupportProcedure, _ claim: Claim, _ device: SupportDevice
  ) async -> SupportOperation.Event {
    let result: Result<SupportPerformer.Outcome, SupportFailure>
    do throws(SupportFailure) {
      result = .success(try await SupportPerformer(jamf: jamf).perform(procedure))
    } catch {
      result = .failure(procedure.sendsSecret ? error.withoutWords : error)
    }
    // Nothing else comes between this and the secret, if there is one.
    if procedure.bringsSecret { change { $0.vault.release() } }
    switch result {
    case .success(let outcome): return take(outcome, claim.order, device)
    case .failure(let failure):
      let advice = failure.advice(claim.order, on: claim.device.kind)
      change { $0.notice = .error("\(claim.order.title): \(failure.what)", advice) }
      return take(failure, of: procedure, device)
    }
  }

  /// A secret goes into the vault, and nowhere else.
  private func take(
    _ outcome: SupportPerformer.Outcome, _ order: SupportOrder, _ device: SupportDevice
  ) -> SupportOperation.Event {
    switch outcome {
    case .accepted(let uuid, let secret):
      if let secret { keep(secret, of: device) }
      change { $0.notice = .success("\(order.title): Jamf Pro took it.") }
      return .accepted(uuid: uuid)
    case .secret(let secret):
      keep(secret, of: device)
      change { $0.notice = .success("\(order.title): it waits to be shown once.") }
      return .answered
    case .told(let text):
      change { $0.notice = .success(text) }
      return .answered
    }
  }

  /// Where nobody knows whether a device is locked now, its code must not be lost.
  private func take(
    _ failure: SupportFailure, of procedure: SupportProcedure, _ device: SupportDevice
  ) -> SupportOperation.Event {
    guard case .uncertain(let why) = failure else { return .refused(failure.what) }
    if let secret = procedure.ownSecret { keep(secret, of: device) }
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

  private func report(_ operation: SupportOperation) async {
    do throws(ServiceError) { try await context.services.diagnostics?.emit(operation.report) } catch {
      context.logger.warning("the end of an order could not be reported", error: error)
    }
  }
}
