internal import ForsettiModuleKit

// Notes on the record of a Mac.
extension SupportDesk {
  /// Attaches a note to the record of the open Mac. Its text is kept in Jamf Pro alone.
  func attachNote(_ payload: [String: String]) {
    guard let (id, device) = opened(payload), id.kind == .computer else {
      change {
        $0.notice = .error("Nothing was attached: another device is open, or it is no Mac.", "Open it again.")
      }
      return
    }
    let attempts: SupportAttempts
    do {
      attempts = try SupportNote(payload).attempts(id, device, at: WallClock.now())
    } catch let refusal as SupportNote.Refusal {
      return change { $0.notice = .error("Nothing was attached.", refusal.advice) }
    } catch {
      return change { $0.notice = .error("Nothing was attached: \(error)") }
    }
    give(.attachNote, .send(attempts), to: id, device)
  }
}
