/// What a service manager is told, as sd_notify(3) has it: lines of `NAME=value`.
enum ServiceNotice: Equatable {
  /// The boot is done; whoever waited for the unit goes on.
  case ready
  /// A line for people, in `systemctl status`.
  case status(String)
  /// The policy is read anew; `ready` follows. Microseconds of CLOCK_MONOTONIC, by which systemd tells one reload from
  /// the next (Type=notify-reload, systemd 253; earlier ones pass over it).
  case reloading(monotonicMicroseconds: UInt64)
  /// The shutdown has begun.
  case stopping
  /// The reactor still turns.
  case alive

  var text: String {
    switch self {
    case .ready: "READY=1"
    // One line, or the rest of it would be a variable of its own.
    case .status(let text): "STATUS=\(text.plain())"
    case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
    case .stopping: "STOPPING=1"
    case .alive: "WATCHDOG=1"
    }
  }
}

/// What the service manager gave us in the environment (sd_notify(3), sd_watchdog_enabled(3)).
struct ServiceManagerSettings: Equatable {
  /// A path, or `@` and an abstract name (unix(7)).
  var socket: String
  /// How often it wants to hear that we are alive, microseconds; `nil` for never.
  var watchdogMicroseconds: UInt64?

  /// - Returns: `nil` where nobody wants to hear, or by a way that we don't know.
  init?(environment: [String: String], processID: Int32) {
    guard let socket = environment["NOTIFY_SOCKET"], socket.utf8.count > 1,
      socket.hasPrefix("/") || socket.hasPrefix("@")
    else { return nil }
    self.socket = socket
    // Meant for one process; a child that inherits it must not answer in its place.
    let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(processID)" } ?? true
    guard isOurs, let microseconds = environment["WATCHDOG_USEC"].flatMap({ UInt64($0) }), microseconds > 0
    else { return }
    watchdogMicroseconds = microseconds
  }

  /// From one sign of life to the next: half of what is asked, as sd_watchdog_enabled(3) recommends.
  var beat: Duration? {
    watchdogMicroseconds.map { .microseconds(Int64(clamping: max(1_000, $0 / 2))) }
  }
}
