/// One order for an application, with what was made in Jamf for it.
struct ApplicationRun: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// Written down; the script or the policy may be made already.
    case preparing
    /// The Mac will find the policy.
    case waiting
    case done
    case failed(String)
    /// The Mac has not reported; the policy stands until it is a day old.
    case late
  }

  enum Event: Sendable, Equatable {
    case madeScript(String)
    case madePolicy(String)
    case failed(String)
    /// The Mac's applications were read: whether they are as wanted.
    case read(isMet: Bool)
    /// It is so late, in milliseconds since 1970.
    case waited(Int64)
    case removedPolicy
    case removedScript
    case interrupted
  }

  let id: String
  let order: ApplicationOrder
  let device: SupportDeviceID
  let deviceName: String
  /// Milliseconds since 1970.
  let begun: Int64
  private(set) var state: State
  /// What is in Jamf and has to be deleted in the end.
  private(set) var script: String?
  private(set) var policy: String?
  /// Whether a day has passed since.
  private(set) var isOld: Bool

  /// A Mac has so long before it is called late, in milliseconds: 10 minutes.
  static let patience: Int64 = 600_000
  /// After so long nothing is left in Jamf, in milliseconds: a day.
  static let lifetime: Int64 = 86_400_000

  init(
    id: String, order: ApplicationOrder, device: SupportDeviceID, deviceName: String, begun: Int64,
    state: State = .preparing, script: String? = nil, policy: String? = nil, isOld: Bool = false
  ) {
    self.id = id
    self.order = order
    self.device = device
    self.deviceName = deviceName
    self.begun = begun
    self.state = state
    self.script = script
    self.policy = policy
    self.isOld = isOld
  }

  /// Takes what happened. What does not fit its state changes nothing.
  mutating func take(_ event: Event) {
    switch (state, event) {
    case (.preparing, .madeScript(let id)): script = id
    case (.preparing, .madePolicy(let id)): (policy, state) = (id, .waiting)
    case (.preparing, .failed(let why)): state = .failed(why)
    case (.preparing, .interrupted):
      state = .failed(
        "The module ended while it was being prepared; look in Jamf Pro for a policy of this name.")
    case (.waiting, .read(isMet: true)), (.late, .read(isMet: true)): state = .done
    case (_, .waited(let now)):
      let age = now - begun
      if state == .waiting, age >= Self.patience { state = .late }
      if age >= Self.lifetime { isOld = true }
    case (_, .removedPolicy): policy = nil
    case (_, .removedScript): script = nil
    default: break
    }
  }

  /// Whether the same order would be one too many: the policy of one that is late stands too.
  var isUnderWay: Bool { state == .preparing || isAwaited }

  /// Whether the Mac's applications are to be read.
  var isAwaited: Bool { state == .waiting || (state == .late && !isOld) }

  /// Whether what was made can be deleted now.
  var needsCleanup: Bool {
    guard script != nil || policy != nil else { return false }
    switch state {
    case .done, .failed: return true
    case .preparing, .waiting, .late: return isOld
    }
  }

  /// Whether there is still something to do for it.
  var isOpen: Bool { isAwaited || needsCleanup }

  /// For a badge.
  var title: String {
    switch state {
    case .preparing: "preparing"
    case .waiting: "waiting"
    case .done: "done"
    case .failed: "failed"
    case .late: "late"
    }
  }

  /// One line for people.
  var advice: String {
    let left = needsCleanup ? " What was made for it in Jamf Pro is still to be deleted." : ""
    switch state {
    case .preparing: return "The script and the policy are being made."
    case .waiting: return "The Mac runs it at its next check-in."
    case .done: return "The inventory of the Mac says so." + left
    case .failed(let why): return why + left
    case .late: return "The Mac has not reported yet. The policy stands until it is a day old." + left
    }
  }
}
