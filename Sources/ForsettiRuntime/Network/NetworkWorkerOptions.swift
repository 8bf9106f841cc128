public import ForsettiCore

/// How the network worker is started and held.
public struct NetworkWorkerOptions: Sendable {
  /// The program `forsetti-network-worker`.
  public var path: String
  /// User and group of its own; `nil` when the supervisor is no root.
  public var userID: UInt32?
  /// A file of certificate authorities instead of the system's.
  public var authorities: String?
  /// Whether it may run on a kernel without Landlock.
  public var mayLackLandlock = false
  /// How long after its own deadline an answer may come before the worker counts as hung.
  public var grace = Duration.seconds(5)
  /// The wait before it is started again: grows with each end in a row, drawn with full jitter.
  public var backoff = RestartPolicy()

  /// Makes options.
  public init(path: String, userID: UInt32?) {
    self.path = path
    self.userID = userID
    backoff.backoffMaximumMilliseconds = 10_000
  }
}
