/// One request for rights, or for their end, on one Mac.
struct TemporaryAdminRun: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// Written down; whether the Mac is in the group, Jamf knows.
    case requesting
    case waiting
    case elevated(until: Int64?)
    case alreadyAdmin
    case demoted
    case timedOut
    case failed(String)
  }

  enum Event: Sendable, Equatable {
    /// It is asked, at this time, that the Mac comes into the group. Until an answer is there nobody knows whether it did.
    case asked(Int64)
    /// The Mac is in the group.
    case written
    /// It was not put into the group by this request.
    case refused(String)
    case reported(TemporaryAdminReport)
    /// It is so late, in milliseconds since 1970.
    case waited(Int64)
    /// At this time the Mac was not in this group.
    case left(String, Int64)
    case leavingFailed(String)
  }

  /// What tells it from other requests for the same Mac.
  let id: String
  let device: SupportDeviceID
  let deviceName: String
  /// Minutes that the rights hold; nothing where they are taken away.
  let minutes: Int?
  /// The group that the Mac was put into.
  let group: String
  /// Milliseconds since 1970.
  let requested: Int64
  /// Milliseconds since 1970 at which the Mac has had its time.
  let deadline: Int64
  /// Whether the Mac leaves the group if it never reports.
  let cleansUpAfterTimeout: Bool
  private(set) var state: State
  /// Groups that the Mac has still to be taken out of: its own at the end, and before that those of the requests whose
  /// place this one took.
  private(set) var leaving: [String]
  /// Groups into which the Mac may still come by a request whose answer was lost, each with the time until which: that it is
  /// not in one counts from then on.
  private(set) var lost: [String: Int64]
  /// The time until which the Mac may come into the group by the request that has no answer yet. An answer tells of this
  /// one alone, and nothing of those that were lost before.
  private(set) var asked: Int64?
  /// Why it could not be taken out.
  private(set) var cleanupFault: String?

  /// How long a request without an answer may still be carried out, milliseconds: twice what the longest may take.
  static let lateness: Int64 = 600_000

  init(
    id: String, device: SupportDeviceID, deviceName: String, minutes: Int?, group: String, requested: Int64,
    deadline: Int64, cleansUpAfterTimeout: Bool, state: State = .requesting, leaving: [String] = [],
    lost: [String: Int64] = [:], asked: Int64? = nil, cleanupFault: String? = nil
  ) {
    self.id = id
    self.device = device
    self.deviceName = deviceName
    self.minutes = minutes
    self.group = group
    self.requested = requested
    self.deadline = deadline
    self.cleansUpAfterTimeout = cleansUpAfterTimeout
    self.state = state
    self.leaving = leaving
    self.lost = lost
    self.asked = asked
    self.cleanupFault = cleanupFault
  }

  /// Takes what happened. What does not fit its state changes nothing.
  mutating func take(_ event: Event) {
    switch event {
    case .asked(let now): (lost, asked) = (late, now + Self.lateness)
    case .written, .refused: asked = nil
    case .reported, .waited, .left, .leavingFailed: break
    }
    switch (state, event) {
    case (.requesting, .written): state = .waiting
    case (.requesting, .refused(let why)): finish(.failed(why), leavesGroup: late[group] != nil)
    case (.requesting, .reported(let report)), (.waiting, .reported(let report)):
      if report.answers(requestAt: requested), let end = end(report) { finish(end, leavesGroup: true) }
    case (.requesting, .waited(let now)), (.waiting, .waited(let now)):
      if now >= deadline { finish(.timedOut, leavesGroup: cleansUpAfterTimeout) }
    case (_, .left(let group, let now)):
      if now >= late[group] ?? 0 { left(group) }
      if leaving.allSatisfy({ now < late[$0] ?? 0 }) { cleanupFault = nil }
    case (_, .leavingFailed(let why)) where !leaving.isEmpty: cleanupFault = why
    default: break
    }
  }

  private mutating func left(_ group: String) {
    leaving.removeAll { $0 == group }
    lost[group] = nil
    if group == self.group { asked = nil }
  }

  private mutating func finish(_ end: State, leavesGroup: Bool) {
    state = end
    if leavesGroup, !leaving.contains(group) { leaving.append(group) }
  }

  /// The end that a report means; nothing where it is none for this run.
  private func end(_ report: TemporaryAdminReport) -> State? {
    switch report.status {
    case .none: nil
    case .failed(let why): .failed("The Mac says: \(why)")
    case .demoted: .demoted
    case .alreadyAdmin: minutes == nil ? nil : .alreadyAdmin
    // A Mac that is to lose its rights has them until it says otherwise.
    case .elevated: minutes == nil ? nil : .elevated(until: report.expires)
    }
  }

  /// Whether a report is waited for.
  var isActive: Bool { state == .requesting || state == .waiting }
  /// Whether there is still something to do for it.
  var isOpen: Bool { isActive || !leaving.isEmpty }

  /// Groups into which the Mac may still come, each with the time until which.
  var late: [String: Int64] {
    var late = lost
    if let asked { late[group] = max(asked, lost[group] ?? 0) }
    return late
  }

  /// Groups that the Mac may be in because of it: its own too where it has not reported and was left in it.
  var groups: Set<String> {
    let isLeftIn = state == .timedOut && !cleansUpAfterTimeout
    return Set(leaving + (isActive || isLeftIn ? [group] : []))
  }

  /// For a badge.
  var title: String {
    if cleanupFault != nil { return "Cleanup Needed" }
    return switch state {
    case .requesting: "Requesting"
    case .waiting: minutes == nil ? "Demotion Requested" : "Waiting for Check-In"
    case .elevated: "Administrator"
    case .alreadyAdmin: "Administrator already"
    case .demoted: "Demoted"
    case .timedOut: "Timed Out"
    case .failed: "Failed"
    }
  }

  /// One line for people.
  var advice: String {
    if let cleanupFault {
      let groups = leaving.joined(separator: ", ")
      return "The Mac could not be taken out of group \(groups): \(cleanupFault) It is tried again."
    }
    if !isActive, leaving.contains(where: { late[$0] != nil }) {
      return
        "An answer of Jamf Pro's was lost: for ten minutes it is looked whether the Mac comes into the group after all."
    }
    return switch state {
    case .requesting, .waiting: "The Mac does it when it is next online, and reports then."
    case .elevated: "The user is an administrator for the time that was asked for."
    case .alreadyAdmin: "The user was an administrator before; nothing was changed."
    case .demoted: "The user is no administrator any more."
    case .timedOut: "The Mac has not reported in time. Ask again when it is online."
    case .failed(let why): "\(why) Nothing more is done."
    }
  }
}
