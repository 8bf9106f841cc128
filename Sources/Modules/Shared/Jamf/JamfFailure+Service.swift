internal import ForsettiModuleKit

// What Jamf Service decides itself crosses the pipe as `ServiceError.failed`, with the case's name for its code.
extension JamfFailure {
  /// What a call of the api role came to.
  init(_ error: ServiceError) {
    switch error {
    case .failed(let code, let message): self = Self(code: code, message: message)
    case .serviceDenied(.notGranted, _), .serviceDenied(.undeclared, _), .serviceDenied(.access, _):
      self = .denied("it has no right to the api role.")
    case .serviceDenied(_, let detail): self = .denied(detail.plain())
    case .serviceUnavailable(_, let why): self = .unavailable(why.plain())
    case .moduleCrashed(let moduleID): self = .unavailable("\(moduleID) ended meanwhile.")
    case .targetUnavailable(let moduleID): self = .unavailable("\(moduleID) is not active.")
    case .deadlineExceeded: self = .unreachable("the time for an answer is over.")
    case .cancelled: self = .cancelled
    case .quotaExceeded(let what):
      self = .unavailable("too much is asked at once (\(what.plain())).")
    case .rateLimited(let milliseconds):
      self = .rateLimited(retryAfterSeconds: Int((UInt64(milliseconds) + 999) / 1_000))
    case .invalidArgument(let name, let reason):
      self = .invalidRequest("\(name.plain()): \(reason.plain())")
    case .notFound(let what): self = .notFound(what.plain())
    case .tooLarge: self = .tooLarge
    case .moduleCommunicationDenied(let reason): self = .denied(reason.plain())
    }
  }

  private init(code: String, message: String) {
    let message = message.plain()
    switch code {
    case "notConfigured": self = .notConfigured
    case "credentialsRejected": self = .credentialsRejected
    case "forbidden": self = .forbidden(message)
    case "notFound": self = .notFound(message)
    case "conflict": self = .conflict(message)
    case "invalidRequest": self = .invalidRequest(message)
    case "rateLimited": self = .rateLimited(retryAfterSeconds: Int(message))
    case "serverError": self = .serverError(Int(message) ?? 500)
    case "unreachable": self = .unreachable(message)
    case "unreadable": self = .unreadable(message)
    case "listChanged": self = .listChanged(message)
    default: self = .unavailable("\(code.plain()): \(message)")
    }
  }

  /// How it leaves Jamf Service.
  var serviceError: ServiceError {
    switch self {
    case .notConfigured, .credentialsRejected: .failed(code: name, message: "")
    case .forbidden(let text), .notFound(let text), .conflict(let text), .invalidRequest(let text),
      .unreachable(let text), .unreadable(let text), .listChanged(let text):
      .failed(code: name, message: text)
    case .rateLimited(let seconds): .failed(code: name, message: seconds.map { "\($0)" } ?? "")
    case .serverError(let status): .failed(code: name, message: "\(status)")
    // Whoever pages through a list counts it, so no limit is ever met in Jamf Service itself.
    case .tooLarge, .beyondLimit: .tooLarge(limit: UInt64(BodyPart.largest))
    case .cancelled: .cancelled
    case .unavailable(let why): .serviceUnavailable(role: "api", why: why)
    case .denied(let why): .serviceDenied(.policy, detail: why)
    }
  }

  /// The case's name: a short word for reports, and for `ServiceError.failed`.
  var name: String {
    switch self {
    case .notConfigured: "notConfigured"
    case .credentialsRejected: "credentialsRejected"
    case .forbidden: "forbidden"
    case .notFound: "notFound"
    case .conflict: "conflict"
    case .invalidRequest: "invalidRequest"
    case .rateLimited: "rateLimited"
    case .serverError: "serverError"
    case .unreachable: "unreachable"
    case .unreadable: "unreadable"
    case .listChanged: "listChanged"
    case .tooLarge: "tooLarge"
    case .beyondLimit: "beyondLimit"
    case .cancelled: "cancelled"
    case .unavailable: "unavailable"
    case .denied: "denied"
    }
  }
}
