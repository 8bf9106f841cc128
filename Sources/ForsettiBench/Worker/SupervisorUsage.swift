import ForsettiBenchSet
import ForsettiBlocking
import Glibc

/// What this process costs as a supervisor.
enum SupervisorUsage {
  /// Memory that is this process's own, KiB: Private_Dirty of smaps_rollup. What the kernel holds for its
  /// descriptors is not in it.
  static func privateKiB() throws(BenchFailure) -> Double {
    try field("Private_Dirty:", of: TextFile.read("/proc/self/smaps_rollup"), "/proc/self/smaps_rollup")
  }

  /// Open descriptors of this process, with the one that counts them.
  static func descriptors() throws(BenchFailure) -> Int {
    try numbers(in: "/proc/self/fd").count
  }

  /// The threads of this process.
  static func threads() throws(BenchFailure) -> [Int32] { try numbers(in: "/proc/self/task") }

  private static func numbers(in folder: String) throws(BenchFailure) -> [Int32] {
    do { return try NumberedFolder(folder).numbers() } catch { throw BenchFailure("\(folder): \(error)") }
  }

  /// Proportional set size of a process, KiB.
  static func pssKiB(of pid: Int32) throws(BenchFailure) -> Double {
    try field("Pss:", of: TextFile.read("/proc/\(pid)/smaps_rollup"), "/proc/\(pid)/smaps_rollup")
  }

  private static func field(
    _ name: String, of text: String, _ path: String
  ) throws(BenchFailure) -> Double {
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    guard let word = line?.dropFirst(name.count).split(separator: " ").first, let value = Double(word) else {
      throw BenchFailure("no \(name) in \(path)")
    }
    return value
  }

  /// Nanoseconds that the reactor's thread was on a CPU.
  static func reactorNanoseconds() throws(BenchFailure) -> UInt64 {
    for thread in try threads() where TextFile.read("/proc/self/task/\(thread)/comm") == "reactor\n" {
      return try onCPU("/proc/self/task/\(thread)/schedstat")
    }
    throw BenchFailure("no thread is named reactor")
  }

  /// Nanoseconds that a module, which has one thread, was on a CPU; of `nil` those of the reactor's thread.
  static func nanoseconds(of module: Int32?) throws(BenchFailure) -> UInt64 {
    guard let module else { return try reactorNanoseconds() }
    return try onCPU("/proc/\(module)/schedstat")
  }

  private static func onCPU(_ path: String) throws(BenchFailure) -> UInt64 {
    guard let word = TextFile.read(path).split(separator: " ").first, let value = UInt64(word) else {
      throw BenchFailure("\(path) can't be read; the kernel needs CONFIG_SCHED_INFO")
    }
    return value
  }
}
