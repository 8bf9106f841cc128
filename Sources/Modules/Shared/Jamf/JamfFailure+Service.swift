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
    case .quotaExceeded(let what): self = .unavailable("too much is asked at once (\(what.plain())).")
    case .rateLimited(let milliseconds):
      self = .rateLimited(retryAfterSeconds: Int((UInt64(milliseconds) + 999) / 1_000))
    case .invalidArgument(let name, let reason): self = .invalidRequest("\(name.plain()): \(reason.plain())")
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
    case "invalidRequest": self = .invalidRequest(message)
    case "rateLimited": self = .rateLimited(retryAfterSeconds: Int(message))
    case "serverError": self = .serverError(Int(message) ?? 500)
    case "unreachable": self = .unreachable(message)
    case "unreadable": self = .unreadable(message)
    default: self = .unavailable("\(code.plain()): \(message)")
    }
  }

  /// How it leaves Jamf Service.
  var serviceError: ServiceError {
    switch self {
    case .notConfigured: .failed(code: "notConfigured", message: "")
    case .credentialsRejected: .failed(code: "credentialsRejected", message: "")
    case .forbidden(let path): .failed(code: "forbidden", message: path)
    case .notFound(let path): .failed(code: "notFound", message: path)
    case .conflict(let message), .invalidRequest(let message):
      .failed(code: "invalidRequest", message: message)
    case .rateLimited(let seconds): .failed(code: "rateLimited", message: seconds.map { "\($0)" } ?? "")
    case .serverError(let status): .failed(code: "serverError", message: "\(status)")
    case .unreachable(let why): .failed(code: "unreachable", message: why)
    case .unreadable(let why), .listChanged(let why): .failed(code: "unreadable", message: why)
    case .tooLarge: .tooLarge(limit: UInt64(JamfAnswer.byteLimit))
    case .cancelled: .cancelled
    case .unavailable(let why): .serviceUnavailable(role: "api", why: why)
    case .denied(let why): .serviceDenied(.policy, detail: why)
    }
  }
}
