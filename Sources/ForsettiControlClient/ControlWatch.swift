public import CLinux

/// What a client hears besides the supervisor while it waits for an answer: some calls end when somebody has heard enough.
public struct ControlWatch {
  /// As poll(2) takes them.
  public var polled: [pollfd]
  /// Whether the end of the supervisor is a good end of the call too.
  public var isEndedBySupervisor: Bool
  /// Whether the call is over; asked when one of them is ready.
  public var isOver: () -> Bool

  /// Makes a watch.
  public init(polled: [pollfd], isEndedBySupervisor: Bool = false, isOver: @escaping () -> Bool) {
    self.polled = polled
    self.isEndedBySupervisor = isEndedBySupervisor
    self.isOver = isOver
  }

  /// The end of whoever is at a descriptor's other end; a pipe without a reader says so unasked.
  public static func hangUp(of descriptor: Int32) -> ControlWatch {
    ControlWatch(polled: [pollfd(fd: descriptor, events: 0, revents: 0)], isEndedBySupervisor: true) { true }
  }
}
