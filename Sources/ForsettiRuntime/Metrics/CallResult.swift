public import ForsettiCore

/// What became of a call, in few classes.
public enum CallResult: String, Sendable, Hashable, CaseIterable {
  case ok
  /// Capability, manifest or policy do not allow it.
  case denied
  /// Nobody can answer now.
  case unavailable
  /// The callee ended meanwhile.
  case crashed
  /// Its time was over.
  case deadline
  /// The caller took it back, or ended.
  case cancelled
  /// A quota or a rate stood in its way.
  case limited
  /// The service said no: a wrong argument, nothing found, too large, or a failure of its own.
  case failed

  /// The class of a failure.
  public init(_ error: ServiceError) {
    self =
      switch error {
      case .serviceDenied, .moduleCommunicationDenied: .denied
      case .serviceUnavailable, .targetUnavailable: .unavailable
      case .moduleCrashed: .crashed
      case .deadlineExceeded: .deadline
      case .cancelled: .cancelled
      case .quotaExceeded, .rateLimited: .limited
      case .invalidArgument, .notFound, .tooLarge, .failed: .failed
      }
  }

  /// Its place in a table of all.
  var index: Int {
    switch self {
    case .ok: 0
    case .denied: 1
    case .unavailable: 2
    case .crashed: 3
    case .deadline: 4
    case .cancelled: 5
    case .limited: 6
    case .failed: 7
    }
  }
}
