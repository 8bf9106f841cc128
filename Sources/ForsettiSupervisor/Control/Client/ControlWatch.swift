import Glibc

/// What a client hears besides the supervisor while it waits for an answer: some calls end when somebody has heard enough.
struct ControlWatch {
  /// As poll(2) takes them.
  var polled: [pollfd]
  /// Whether the end of the supervisor is a good end of the call too.
  var isEndedBySupervisor = false
  /// Whether the call is over; asked when one of them is ready.
  var isOver: () -> Bool

  /// The end of whoever reads an output; a pipe without a reader says so unasked.
  static func reader(of output: OutputStream) -> ControlWatch {
    ControlWatch(
      polled: [pollfd(fd: output.descriptor, events: 0, revents: 0)], isEndedBySupervisor: true
    ) { true }
  }
}
