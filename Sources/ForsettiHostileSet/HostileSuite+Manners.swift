// Never doing what it is asked to.
extension HostileSuite {
  static let manners: [HostileCase] = [
    HostileCase(
      "exit-in-start", "ends by itself while it starts", program: "exit_three", at: .start,
      .refused(.crashed(.exitedEarly(code: 3)))),
    HostileCase(
      "violation-in-start", "reads /etc/passwd while it starts", program: "try_open_passwd", at: .start,
      .refused(.crashed(.violation("openat", path: "/etc/passwd")))),
    HostileCase(
      "slow-start", "never ends its start", program: "wait_for_ever", at: .start, .refused(.timedOut(.start))),
    HostileCase(
      "busy-start", "computes for ever while it starts", program: "busy_loop", at: .start,
      .refused(.timedOut(.start))),
    HostileCase("busy-loop", "computes for ever", program: "busy_loop", .ends(.heartbeatLost)),
    HostileCase(
      "sleep-for-ever", "sleeps for ever on its one thread", program: "sleep_for_ever", .ends(.heartbeatLost)),
    HostileCase(
      "burn-processor", "computes for ever, and answers every heartbeat", program: "burn_processor",
      .ends(.cpuLimit)),
    HostileCase(
      "burn-processor-deaf", "the same, with the warning signal blocked", program: "burn_processor_deaf",
      .ends(.cpuLimit)),
    HostileCase(
      "busy-stop", "computes for ever when it is asked to stop", program: "busy_loop", at: .stop,
      .ends(.stopForced(signal: signalTerminate))),
    HostileCase(
      "never-stops", "never answers the stop request", program: "never_stop", at: .stop,
      .ends(.stopForced(signal: signalTerminate))),
  ]
}
