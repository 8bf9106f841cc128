import CLinux

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

  /// Keeps a thread to a share, and whatever it starts from now on; where nothing is set aside it stays as it is. Nothing
  /// is lost where the kernel refuses, but time: its modules run as others do.
  /// - Parameter thread: 0 for the calling one; a child that is not reaped may be another.
  public func keep(_ thread: Int32 = 0, to share: Share) {
    guard !aside.isEmpty else { return }
    _ = cl_keep_to_processors(thread, self[share], Int32(self[share].count))
  }
}
