import CLinux
import Glibc

/// What a process uses of the machine.
public struct ProcessFigures: Sendable, Hashable {
  /// Its process ID.
  public var pid: Int32
  /// Seconds of processor time, in user and kernel mode.
  public var cpuSeconds: Double?
  /// Bytes of memory that it has in core.
  public var residentBytes: Int?
  /// The same, pages shared with others counted by their share.
  public var proportionalBytes: Int?

  /// Reads /proc/PID/stat and smaps_rollup (proc(5)).
  /// - Parameter ticks: of a second of processor time, `sysconf(_SC_CLK_TCK)`.
  init(pid: Int32, stat: String?, memory: String?, ticks: Int) {
    self.pid = pid
    // The name, in parentheses, is the process's own and may hold anything: fields count from the last parenthesis.
    if let fields = stat?.split(separator: ")").last?.split(separator: " "), fields.count > 12, ticks > 0,
      let user = Int(fields[11]), let system = Int(fields[12])
    {
      cpuSeconds = Double(user &+ system) / Double(ticks)
    }
    guard let memory = memory.map({ StatusFile($0) }) else { return }
    residentBytes = memory.integer("Rss").map { $0 &* 1024 }
    proportionalBytes = memory.integer("Pss").map { $0 &* 1024 }
  }

  /// The process that asks. May take a tenth of a millisecond: not on the reactor.
  public nonisolated static func ofSelf() async -> ProcessFigures {
    await Reactor.inBackground {
      ProcessFigures(
        pid: getpid(), stat: KernelFile.read("/proc/self/stat"),
        memory: KernelFile.read("/proc/self/smaps_rollup"), ticks: ticksPerSecond)
    }
  }

  fileprivate static let ticksPerSecond = sysconf(Int32(_SC_CLK_TCK))
}

/// A process's files of /proc for whoever reads them elsewhere than on the reactor: they are bound to the process, not to
/// its number, and stay so when it is gone.
public final class ProcessGauge: Sendable {
  private let pid: Int32
  private let stat: Descriptor
  private let memory: Descriptor

  init(pid: Int32, stat: consuming Descriptor, memory: consuming Descriptor) {
    self.pid = pid
    self.stat = stat
    self.memory = memory
  }

  /// Reads both, elsewhere than on the reactor.
  nonisolated func read() async -> ProcessFigures { await Reactor.inBackground { [self] in figures() } }

  /// Reads several, one after the other, in one go.
  nonisolated static func read(_ gauges: [ProcessGauge?]) async -> [ProcessFigures?] {
    await Reactor.inBackground { gauges.map { $0?.figures() } }
  }

  /// The kernel walks all of the process's memory for it, which takes a tenth of a millisecond.
  private func figures() -> ProcessFigures {
    ProcessFigures(
      pid: pid, stat: KernelFile.text(of: stat), memory: KernelFile.text(of: memory),
      ticks: ProcessFigures.ticksPerSecond)
  }
}
