/// What a command's state means for a technician. Jamf's versions and APIs write the states differently.
enum CommandBucket: String, Sendable, CaseIterable {
  case pending, completed, failed
  case notNow = "not now"
  case other

  init(_ status: String) {
    let plain = status.lowercased().filter { $0.isLetter }
    self =
      if plain.hasPrefix("acknowledged") || plain.hasPrefix("completed") {
        .completed
      } else if plain.hasPrefix("notnow") {
        .notNow
      } else if ["pending", "sent", "sending", "issued", "idle"].contains(where: plain.hasPrefix) {
        .pending
      } else if ["error", "failed", "expired", "cancelled", "canceled"].contains(where: plain.hasPrefix) {
        .failed
      } else { .other }
  }
}
