internal import ForsettiModuleKit

extension ServiceError {
  /// One sentence for people: what to do where the host kept or wrote nothing for a module.
  var advice: String {
    switch self {
    case .quotaExceeded, .tooLarge:
      "Remove what is no longer wanted, or have the policy of this host give the module more."
    case .serviceDenied, .moduleCommunicationDenied:
      "Whoever writes the policy of this host decides it: see the grant of the module's rule."
    case .invalidArgument, .notFound: "Choose another name, then try again."
    case .rateLimited, .deadlineExceeded, .cancelled, .serviceUnavailable, .moduleCrashed,
      .targetUnavailable, .failed:
      "Try again in a moment; if it goes on, the supervisor's log says why."
    }
  }
}
