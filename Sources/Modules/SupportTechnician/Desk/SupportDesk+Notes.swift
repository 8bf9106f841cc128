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
    let note: SupportNote
    do throws(SupportNote.Refusal) { note = try SupportNote(payload) } catch {
      return change { $0.notice = .error("Nothing was attached.", error.advice) }
    }
    do throws(JamfFailure) {
      let attempts = try note.attempts(id, device, at: WallClock.now())
      give(.attachNote, .send(attempts), to: id, device)
    } catch { change { $0.notice = .error("Nothing was attached: \(error.what)", error.advice) } }
  }
}
