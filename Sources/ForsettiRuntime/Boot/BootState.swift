/// Where a boot stands (seed "Boot State Machine"; SPEC §7).
public enum BootState: Sendable, Hashable {
  case notStarted
  case booting
  case ready
  case failed(BootFailure)

  /// What may happen to a boot.
  public enum Event: Sendable, Hashable {
    case bootRequested
    case succeeded
    case failed(BootFailure)
    case shutDown
  }

  /// The state after an event; `nil` where the event changes nothing (a repeated boot, a second caller).
  public func after(_ event: Event) -> BootState? {
    switch (self, event) {
    case (.notStarted, .bootRequested), (.failed, .bootRequested): .booting
    case (.booting, .succeeded): .ready
    case (.booting, .failed(let failure)): .failed(failure)
    case (.booting, .shutDown), (.ready, .shutDown), (.failed, .shutDown): .notStarted
    default: nil
    }
  }

  /// The names of all states.
  public static let names = ["notStarted", "booting", "ready", "failed"]

  /// The seeds' name of the state; one of `names`.
  public var name: String {
    switch self {
    case .notStarted: "notStarted"
    case .booting: "booting"
    case .ready: "ready"
    case .failed: "failed"
    }
  }
}
