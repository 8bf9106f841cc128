import CBench
import ForsettiBenchSet
import Glibc

/// Where the two ends of a pipe run: waking another processor costs many times what switching on one does, so that
/// two figures are compared only where both were measured in the same place. Passed on to workers in the environment.
enum Placement: String {
  case free, together, apart

  private static let name = "FORSETTI_BENCH_PLACE"
  private static let urgency = "FORSETTI_BENCH_URGENT"

  /// What this process was told.
  static var current: Placement {
    getenv(name).flatMap { Placement(rawValue: String(cString: $0)) } ?? .free
  }

  /// Whether this process was told to be urgent.
  static var isUrgent: Bool { getenv(urgency) != nil }

  /// Makes it so for all that this process starts.
  func choose() throws(BenchFailure) {
    setenv(Self.name, rawValue, 1)
    switch self {
    case .free: break
    case .together: try Self.pin(0, to: 0)
    case .apart: setenv("FLOORS_CPUS", "0,1", 1)
    }
  }

  /// Puts this process before others. Every session shares the processors with every other, whatever its processes'
  /// niceness (sched(7), "The autogroup feature"), so that the session is made as urgent.
  static func beUrgent() throws(BenchFailure) {
    guard setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -20) == 0 else {
      throw BenchFailure("--urgent: errno \(errno)")
    }
    setenv(urgency, "1", 1)
    favourSession(of: getpid())
  }

  /// Puts a worker's own threads and its modules, each of which has a session of its own, where they belong.
  static func settle(modules: [Int32]) throws(BenchFailure) {
    if isUrgent { for pid in modules { favourSession(of: pid) } }
    guard current == .apart else { return }
    for thread in try SupervisorUsage.threads() { try pin(thread, to: 0) }
    for pid in modules { try pin(pid, to: 1) }
  }

  private static func favourSession(of pid: Int32) {
    let descriptor = open("/proc/\(pid)/autogroup", O_WRONLY | O_CLOEXEC)
    // A kernel without the feature has no such file, and no need for it.
    guard descriptor >= 0 else { return }
    _ = write(descriptor, "-20", 3)
    close(descriptor)
  }

  private static func pin(_ thread: Int32, to cpu: UInt64) throws(BenchFailure) {
    let result = cbench_pin(thread, 1 << cpu)
    guard result == 0 else { throw BenchFailure("CPU \(cpu) for \(thread): errno \(-result)") }
  }
}
