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

  /// Reads /proc/PID/stat and smaps_rollup (proc(5)); what it has in core is of the second where that is there, which is exact.
  /// - Parameter ticks: of a second of processor time, `sysconf(_SC_CLK_TCK)`.
  init(pid: Int32, stat: String?, memory: String?, ticks: Int) {
    self.pid = pid
    // The name, in parentheses, is the process's own and may hold anything: fields count from the last parenthesis.
    if let fields = stat?.split(separator: ")").last?.split(separator: " "), fields.count > 12, ticks > 0,
      let user = Int(fields[11]), let system = Int(fields[12])
    {
      cpuSeconds = Double(user &+ system) / Double(ticks)
    }
    residentBytes = stat.flatMap { Self.residentPages(of: Array($0.utf8).span) }.map { $0 &* Self.pageBytes }
    guard let memory = memory.map({ StatusFile($0) }) else { return }
    residentBytes = memory.integer("Rss").map { $0 &* 1024 }
    proportionalBytes = memory.integer("Pss").map { $0 &* 1024 }
  }

  /// Pages in core, the 24th field of /proc/PID/stat. Read where it stands: of a thousand processes the texts of all fields
  /// would take longer than the kernel does.
  static func residentPages(of stat: Span<UInt8>) -> Int? {
    guard var place = stat.indices.last(where: { stat[$0] == UInt8(ascii: ")") }) else { return nil }
    // The third field follows one space.
    var spaces = 0
    while spaces < 22 {
      place += 1
      guard place < stat.count else { return nil }
      if stat[place] == UInt8(ascii: " ") { spaces += 1 }
    }
    var pages = 0
    while place + 1 < stat.count, case let digit = stat[place + 1], 48...57 ~= digit {
      pages = pages &* 10 &+ Int(digit &- 48)
      place += 1
    }
    return stat[place] == UInt8(ascii: " ") ? nil : pages
  }

  /// The process that asks, whose memory is counted in pages alone: to ask for its share would hold up whoever needs more.
  public nonisolated static func ofSelf() async -> ProcessFigures {
    await Reactor.inBackground {
      ProcessFigures(
        pid: getpid(), stat: KernelFile.read("/proc/self/stat"), memory: nil, ticks: ticksPerSecond)
    }
  }

  fileprivate static let ticksPerSecond = sysconf(Int32(_SC_CLK_TCK))
  private static let pageBytes = sysconf(Int32(_SC_PAGESIZE))
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

  /// Looks at the memory of several, one after the other, in one go.
  /// - Parameter gauges: each with what was seen of it before.
  nonisolated static func look(
    at gauges: [(gauge: ProcessGauge, earlier: MemoryLook?)]
  ) async -> [MemoryLook?] {
    await Reactor.inBackground { gauges.map { $0.gauge.look(after: $0.earlier) } }
  }

  private func look(after earlier: MemoryLook?) -> MemoryLook? {
    guard let pages = KernelFile.read(stat, ProcessFigures.residentPages(of:)) else { return nil }
    if let next = earlier?.next(residentPages: pages) { return next }
    guard let share = KernelFile.text(of: memory).flatMap({ StatusFile($0).integer("Pss") }) else {
      return nil
    }
    // Processes that are first seen in one look are not all asked again in one.
    let age = earlier == nil ? Int(pid) % MemoryLook.looksOfShare : 0
    return MemoryLook(residentPages: pages, proportionalBytes: share &* 1024, age: age)
  }

  /// The kernel walks all of the process's memory for it, which takes a tenth of a millisecond.
  private func figures() -> ProcessFigures {
    ProcessFigures(
      pid: pid, stat: KernelFile.text(of: stat), memory: KernelFile.text(of: memory),
      ticks: ProcessFigures.ticksPerSecond)
  }
}
