/// What a cgroup of its own holds of a module, where the supervisor was given a subtree of cgroups. It is an extra: the
/// rlimits and the filter hold without it.
public struct CgroupLimits: Sendable, Hashable {
  /// The limits by their keys in a policy file.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    /// memory.max; where it is not set, the address space limit.
    case memoryBytes
    /// pids.max; where it is not set, 1: the module itself.
    case tasks
    /// cpu.max, in hundredths of one processor; where it is not set there is none.
    case cpuPercent

    /// What a policy may ask.
    public var range: ClosedRange<Int64> {
      switch self {
      case .memoryBytes: (4 << 20)...(1 << 40)
      case .tasks: 1...4_096
      case .cpuPercent: 1...10_000
      }
    }
  }

  private var values: [Name: UInt64] = [:]

  /// Makes limits; none is set.
  public init() {}

  /// A limit by its name in the file; `nil` where it is not set.
  public subscript(name: Name) -> UInt64? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// These limits, with what the others set in place of their own.
  func changed(by others: CgroupLimits) -> CgroupLimits {
    var changed = self
    changed.values.merge(others.values) { $1 }
    return changed
  }
}

extension PolicyReader {
  mutating func cgroupLimits(_ node: PolicyNode) -> CgroupLimits {
    var limits = CgroupLimits()
    guard let object = object(node, .cgroup) else { return limits }
    for name in CgroupLimits.Name.allCases {
      guard let value = object[name.rawValue].flatMap({ integer($0, in: name.range) }) else { continue }
      limits[name] = UInt64(value)
    }
    return limits
  }
}
