/// Why an action came to nothing, or to nobody knows what.
enum SupportFailure: Error, Sendable, Equatable {
  /// Jamf did nothing.
  case refused(JamfFailure)
  /// The request was sent and no answer came that can be read: it may be done or not.
  case uncertain(JamfFailure)
  /// Jamf keeps no such secret of this device.
  case noSecret(String)
  /// Jamf knows no local administrator of this Mac.
  case noLocalAccount
  /// Jamf knows other local administrators of this Mac: their names, safe to show.
  case otherLocalAccounts([String])
  /// The device could not be woken.
  case notReached

  /// Judges a failure of a request that changes something.
  init(changing failure: JamfFailure) {
    switch failure {
    case .serverError, .unreachable, .unreadable, .unavailable, .tooLarge, .cancelled, .listChanged:
      self = .uncertain(failure)
    case .notConfigured, .credentialsRejected, .forbidden, .notFound, .conflict, .invalidRequest,
      .beyondLimit, .rateLimited, .denied:
      self = .refused(failure)
    }
  }

  /// The same without any word of an answer.
  var withoutWords: SupportFailure {
    switch self {
    case .refused(let failure): .refused(failure.withoutWords)
    case .uncertain(let failure): .uncertain(failure.withoutWords)
    case .noSecret, .noLocalAccount, .otherLocalAccounts, .notReached: self
    }
  }

  /// One sentence: what happened.
  var what: String {
    switch self {
    case .refused(let failure): failure.what
    case .uncertain(let failure): "It is not known whether Jamf Pro took the order. \(failure.what)"
    case .noSecret(let title): "Jamf Pro keeps no \(title) of this Mac."
    case .noLocalAccount: "Jamf Pro manages no local administrator on this Mac."
    case .otherLocalAccounts: "Jamf Pro manages no local administrator of this name on this Mac."
    case .notReached: "Jamf Pro could not send the push."
    }
  }

  /// One sentence: what to do about an order that failed so.
  func advice(_ order: SupportOrder, on kind: SupportDeviceKind) -> String {
    switch self {
    case .refused(.forbidden):
      "Its API role needs " + order.privileges(on: kind).map { "“\($0)”" }.joined(separator: " and ") + "."
    case .refused(let failure): failure.advice
    case .uncertain: "Read \(order.evidence) before you order it again."
    case .noSecret: "See that the Mac has one, and that it was escrowed."
    case .noLocalAccount:
      "Set one up in the PreStage or the user-initiated enrolment, with its password managed."
    case .otherLocalAccounts(let names): "It manages \(names.joined(separator: ", ")); enter one of these."
    case .notReached: "See that the device is enrolled and its push certificate is valid."
    }
  }
}

extension SupportAttempts.Rule {
  /// Whether the next request is tried after one that failed so. Where nobody knows what was done, none is.
  func goesOn(after failure: JamfFailure) -> Bool {
    switch (self, failure) {
    case (_, .notFound): true
    case (.refused, .forbidden), (.refused, .invalidRequest), (.refused, .conflict): true
    default: false
    }
  }
}
