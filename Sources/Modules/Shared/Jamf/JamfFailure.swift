/// Why a request to Jamf Pro came to nothing, as a feature's view tells it.
enum JamfFailure: Error, Sendable, Hashable {
  /// No credentials are kept.
  case notConfigured
  /// Jamf Pro takes neither the token nor the credentials behind it.
  case credentialsRejected
  /// 403: the account lacks a privilege for this path.
  case forbidden(String)
  /// 404, and 405 where this version of Jamf Pro lacks the call: nothing is at this path.
  case notFound(String)
  /// 409: the record was changed by somebody else, or its state doesn't allow this. Jamf Pro's own words.
  case conflict(String)
  /// 400 and its like, or a request that was never sent. What is wrong with it.
  case invalidRequest(String)
  /// 429, after all patience.
  case rateLimited(retryAfterSeconds: Int?)
  /// 5xx: the status.
  case serverError(Int)
  /// There is no answer: no address, no connection, no TLS, too late.
  case unreachable(String)
  /// There is an answer that can't be used: a page for people, other JSON, a body that was cut.
  case unreadable(String)
  /// The pages of a list don't fit together: their total changed, or one came twice.
  case listChanged(String)
  /// The answer is larger than one answer may be.
  case tooLarge
  /// There is more than is looked through at once.
  case beyondLimit(JamfLimit)
  /// Whoever asked waits no more.
  case cancelled
  /// Jamf Service is not there to be asked.
  case unavailable(String)
  /// The host lets this module ask no such thing.
  case denied(String)
}

extension JamfFailure {
  /// One sentence: what happened.
  var what: String {
    switch self {
    case .notConfigured: "Jamf Pro is not configured: this host keeps no credentials for it."
    case .credentialsRejected: "Jamf Pro did not accept the credentials."
    case .forbidden(let path): "Jamf Pro refused \(path): the account lacks a privilege for it."
    case .notFound(let path): "Jamf Pro has nothing at \(path)."
    case .conflict(let message): "Jamf Pro refused the change: \(message)"
    case .invalidRequest(let message): "The request is not one that Jamf Pro takes: \(message)"
    case .rateLimited(let seconds):
      "Jamf Pro is asked too much" + (seconds.map { ", and wants \($0) s of rest." } ?? ".")
    case .serverError(let status): "Jamf Pro failed with status \(status)."
    case .unreachable(let why): "Jamf Pro gave no answer: \(why)"
    case .unreadable(let why): "Jamf Pro's answer can't be read: \(why)"
    case .listChanged(let how): "The list changed while it was read: \(how)"
    case .tooLarge: "Jamf Pro's answer is larger than one answer may be."
    case .beyondLimit(let limit): limit.what
    case .cancelled: "It was cancelled."
    case .unavailable(let why): "Jamf Service can't be asked: \(why)"
    case .denied(let why): "This host does not let the module ask that: \(why)"
    }
  }

  /// One sentence: what to do.
  var advice: String {
    switch self {
    case .notConfigured:
      "Enter the server and its credentials in the console, or with forsetti-supervisor secret set jamf-credentials."
    case .credentialsRejected:
      "Enter them again; in Jamf Pro, see that the API client is enabled and its secret was not rotated."
    case .forbidden: "Give the API role the privilege; Permissions Matrix names it for each action."
    case .notFound: "Look whether the record was deleted, or this version of Jamf Pro lacks the call."
    case .conflict: "Read the record again, then decide again."
    case .invalidRequest: "Correct what is named, and try again."
    case .rateLimited(let seconds): "Wait \(seconds.map { "\($0) s" } ?? "a minute"), then try again."
    case .serverError: "Try again in a minute; if it stays so, look at Jamf Pro's own status."
    case .unreachable:
      "See that the server's address is right and that this host may reach it, then try again."
    case .unreadable: "Try again; if it stays so, see what stands between this host and Jamf Pro."
    case .listChanged: "Read it again."
    case .tooLarge: "Ask for fewer records or sections."
    case .beyondLimit(let limit): limit.wayOut
    case .cancelled: "Begin again whenever you like."
    case .unavailable: "Try again in a moment; the list of modules says how Jamf Service is."
    case .denied: "Whoever writes the policy of this host decides it: see the api entry of the module's rule."
    }
  }

  /// The same without any word that was read from an answer: a server may repeat what it was sent.
  var withoutWords: JamfFailure {
    let withheld = "what it says is not shown, for it may repeat a secret of the request."
    return switch self {
    case .conflict: .conflict(withheld)
    case .invalidRequest: .invalidRequest(withheld)
    case .unreadable: .unreadable(withheld)
    default: self
    }
  }

  /// Whether an older version of the API may still have the call.
  var isOfVersion: Bool {
    switch self {
    case .invalidRequest, .forbidden, .notFound: true
    default: false
    }
  }
}
