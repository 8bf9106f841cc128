import CLinux
import Glibc

/// The processors of this process in two shares, so that crashes cost calls little: what is done for modules that
/// crash, and these modules themselves until they are stable again, keep to the share that is set aside.
///
/// The kernel would put a process that starts, or a thread that comes back from a disk, where it likes, and much of what
/// both do can't be interrupted (exec, the end of an address space): whoever wakes there waits for hundreds of
/// microseconds, while another processor is idle.
public struct ProcessorShares: Sendable, Hashable {
  /// All that the process may run on.
  public let all: [UInt32]
  /// A quarter of them, at least one; none where there is but one.
  public let aside: [UInt32]

  /// Those that are left for calls; never empty where `all` is not.
  public var calls: [UInt32] { all.dropLast(aside.count) }

  /// Divides processors.
  public init(of all: [UInt32]) {
    self.all = all
    aside = all.count > 1 ? all.suffix(max(1, all.count / 4)) : []
  }

  /// Those that this process had when it first asked: sched_getaffinity(2), which a service manager and cpuset(7) narrow.
  public static let current = ProcessorShares(of: available())

  private static func available() -> [UInt32] {
    // As many as cpu_set_t knows. Of a kernel with more, the call fails; nothing is divided then.
    [UInt32](unsafeUninitializedCapacity: 1024) { numbers, count in
      count = max(0, Int(cl_processors(numbers.baseAddress, 1024)))
    }
  }

  /// A share.
  public enum Share: Sendable {
    case all, calls, aside
  }

  /// The processors of a share.
  public subscript(share: Share) -> [UInt32] {
    switch share {
    case .all: all
    case .calls: calls
    case .aside: aside
    }
  }

  /// Keeps the calling thread to a share, and whatever it starts from now on; where nothing is set aside it stays as it
  /// is. Nothing is lost where the kernel refuses, but time.
  public func keep(to share: Share) { keep(thread: 0, to: share) }

  /// Keeps all threads of a process to a share, and whatever they start from now on.
  public func keep(process: Int32, to share: Share) {
    guard !aside.isEmpty else { return }
    var known: Set<Int32> = []
    // A thread that was not looked at yet may start another meanwhile, which is as it was.
    for _ in 0..<Self.passes {
      let new = Self.threads(of: process).subtracting(known)
      guard !new.isEmpty else { return }
      for thread in new { keep(thread: thread, to: share) }
      known.formUnion(new)
    }
  }

  /// Looks at the threads of a process: whoever starts them faster than they are counted stays where some are.
  private static let passes = 8

  private func keep(thread: Int32, to share: Share) {
    guard !aside.isEmpty else { return }
    _ = cl_keep_to_processors(thread, self[share], Int32(self[share].count))
  }

  /// None where the process is gone.
  private static func threads(of process: Int32) -> Set<Int32> {
    guard let folder = try? NumberedFolder("/proc/\(process)/task") else { return [] }
    return Set((try? folder.numbers()) ?? [])
  }
}
