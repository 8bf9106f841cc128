/// Why a call failed. It crosses the pipe and arrives as the same case on the other side.
public enum ServiceError: Error, Sendable, Hashable {
  /// Why a service or method may not be used.
  public enum Denial: String, Sendable, Hashable, CaseIterable {
    /// The capability is not granted.
    case notGranted = "not_granted"
    /// The manifest (template 1.1) declares no I/O entry for it.
    case undeclared
    /// The entries that are declared do not cover the method's access.
    case access
    /// There is no such service, or it has no such method.
    case unknown
    /// The policy limits this caller, by host, method or path.
    case policy
  }

  /// It may not be used.
  case serviceDenied(Denial, detail: String)
  /// Nobody can answer now.
  case serviceUnavailable(role: String, why: String)
  /// The callee ended while it was being called.
  case moduleCrashed(moduleID: String)
  /// The deadline in the call passed.
  case deadlineExceeded
  /// The caller took the call back.
  case cancelled
  /// The caller's share of something is used up: bytes, keys, files, open calls.
  case quotaExceeded(String)
  /// Too many calls in too short a time.
  case rateLimited(retryAfterMilliseconds: UInt32)
  /// An argument is not what the method takes.
  case invalidArgument(name: String, reason: String)
  /// What was asked for does not exist.
  case notFound(String)
  /// The answer, or a part of the request, is larger than it may be.
  case tooLarge(limit: UInt64)
  /// A message may not be sent: the communication guard or the policy says why (SPEC §5).
  case moduleCommunicationDenied(reason: String)
  /// The module that a message is for is not active.
  case targetUnavailable(moduleID: String)
  /// The adapter, or what stands behind it, failed. `code` is a short stable word of that service.
  case failed(code: String, message: String)
}
