/// A module is not started again by itself.
public struct Quarantine: Sendable, Hashable {
  /// Why.
  public var cause: QuarantineCause
  /// Since when, milliseconds since 1970.
  public var since: Int64

  /// Makes a quarantine.
  public init(cause: QuarantineCause, since: Int64) {
    self.cause = cause
    self.since = since
  }
}

/// Why a module is not started again by itself.
public enum QuarantineCause: Sendable, Hashable {
  /// It made a call outside its sandbox: that is no accident.
  case violation
  /// It broke the protocol.
  case protocolError
  /// A layer of its sandbox could not be applied; trying again would not help.
  case sandboxFailed
  /// It ended too often.
  case tooManyRestarts(count: Int, withinMilliseconds: Int)
}

extension QuarantineCause: CustomStringConvertible {
  /// In words, to follow "it is quarantined: ".
  public var description: String {
    switch self {
    case .violation: "it made a call outside its sandbox"
    case .protocolError: "it broke the protocol"
    case .sandboxFailed: "a layer of its sandbox could not be applied"
    case .tooManyRestarts(let count, let within): "it ended \(count) times within \(within / 1_000) s"
    }
  }
}
