/// One thing that was ordered, from before it was sent to its end. It holds no secret.
struct SupportOperation: Sendable, Equatable {
  /// Where it stands. Every end says what is known, and no more.
  enum State: Sendable, Equatable {
    /// Written down, and on its way to Jamf.
    case sending
    /// Jamf has made a command of it, and the device has not answered yet.
    case following(uuid: String)
    /// Jamf took it, and there is nothing to follow.
    case accepted
    /// The device has done it.
    case done
    case failed(String)
    /// The device has not answered in all the time it had.
    case timedOut
    /// Nobody knows whether Jamf took it.
    case uncertain(String)
  }

  /// What happened to it.
  enum Event: Sendable, Equatable {
    /// Jamf took it, with the command it made of it where it said so.
    case accepted(uuid: String?)
    /// Jamf answered with what was asked for.
    case answered
    case refused(String)
    case uncertain(String)
    /// The command's state in Jamf's history.
    case reported(CommandBucket, reason: String?)
    /// A time passed in which an answer could have come.
    case waited
    /// This module ended and began anew.
    case interrupted
  }

  /// What it is kept under: times sort, the rest tells those of one moment apart.
  let id: String
  let order: SupportOrder
  let device: SupportDeviceID
  let deviceName: String
  /// Whether a ticket was named, never which.
  let hasTicket: Bool
  /// What somebody said about it.
  let note: String?
  /// Milliseconds since 1970.
  let begun: Int64
  private(set) var state: State
  /// How often an answer was waited for.
  private(set) var waits: Int

  /// Waits of `SupportFollower.interval` that a device has: ten minutes.
  static let waitLimit = 60
  /// An order that was not answered keeps others away for so long, in milliseconds: a day. A device that is locked again
  /// after that must be.
  static let standing: Int64 = 86_400_000

  init(
    id: String, order: SupportOrder, device: SupportDeviceID, deviceName: String, hasTicket: Bool,
    note: String? = nil, begun: Int64, state: State = .sending, waits: Int = 0
  ) {
    self.id = id
    self.order = order
    self.device = device
    self.deviceName = deviceName
    self.hasTicket = hasTicket
    self.note = note
    self.begun = begun
    self.state = state
    self.waits = waits
  }

  /// Takes what happened. What does not fit its state changes nothing.
  mutating func take(_ event: Event) {
    switch (state, event) {
    case (.sending, .accepted(let uuid?)): state = .following(uuid: uuid)
    case (.sending, .accepted(nil)): state = .accepted
    case (.sending, .answered): state = .done
    case (.sending, .refused(let why)): state = .failed(why)
    case (.sending, .uncertain(let why)): state = .uncertain(why)
    case (.sending, .interrupted):
      state = .uncertain("The module ended while the order was being sent.")
    case (.following, .reported(.completed, _)): state = .done
    case (.following, .reported(.failed, let reason)):
      state = .failed(reason ?? "The device said that it could not do it.")
    case (.following, .waited):
      waits += 1
      if waits >= Self.waitLimit { state = .timedOut }
    // What Jamf has made a command of goes on without this module.
    default: break
    }
  }

  /// Whether its end is still to come.
  var isPending: Bool {
    switch state {
    case .sending, .following: true
    case .accepted, .done, .failed, .timedOut, .uncertain: false
    }
  }

  /// Whether it was not answered, and a device that comes back will still do it.
  /// - Parameter now: milliseconds since 1970.
  func stands(at now: Int64) -> Bool { state == .timedOut && now - begun < Self.standing }

  /// The command that is followed.
  var followed: String? {
    if case .following(let uuid) = state { uuid } else { nil }
  }

  /// How far it has come, 0 to 1.
  var progress: Double {
    switch state {
    case .sending: 0.25
    case .following: 0.55
    case .accepted, .done, .failed, .timedOut, .uncertain: 1
    }
  }

  /// One line for people: where it stands, and what to do where something is to be done.
  var summary: String {
    switch state {
    case .sending: "On its way to Jamf Pro"
    case .following: "Waiting for the device"
    case .accepted: "Jamf Pro took it"
    case .done: "Done"
    case .failed(let why): "Failed: \(why)"
    case .timedOut:
      "The device has not answered for ten minutes. The order stands, and is done when the device is back."
    case .uncertain(let why):
      "\(why) It may be done or not: read \(order.evidence) before you order it again."
    }
  }

  /// A word for logs and diagnostics.
  var word: String {
    switch state {
    case .sending: "sending"
    case .following: "following"
    case .accepted: "accepted"
    case .done: "done"
    case .failed: "failed"
    case .timedOut: "timed-out"
    case .uncertain: "uncertain"
    }
  }
}
