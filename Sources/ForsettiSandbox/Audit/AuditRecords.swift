public import ForsettiCore

/// What an audit has seen of one module: each form of a call once, with how often it came. A value of bounded size.
public struct AuditRecords: Sendable, Hashable {
  /// One form of a call.
  public struct Record: Sendable, Hashable {
    /// As it came first.
    public var call: Violation
    /// How often it came.
    public var count: UInt64
    /// Whether it was let through; otherwise it ended the process.
    public var wasLetThrough: Bool
  }

  /// How many forms are kept; of further ones only their calls are counted.
  public static let limit = 256

  /// In the order in which each came first.
  public private(set) var records: [Record] = []
  /// How often calls came in forms past the limit, by name: as many names as there are calls.
  public private(set) var omitted: [String: UInt64] = [:]
  private var places: [Form: Int] = [:]

  /// Nothing seen.
  public init() {}

  /// How many calls there were.
  public var total: UInt64 {
    (records.map(\.count) + omitted.values).reduce(0) { $0.addingReportingOverflow($1).partialValue }
  }

  /// Notes a call.
  public mutating func add(_ call: Violation, wasLetThrough: Bool) {
    let form = Form(of: call, wasLetThrough: wasLetThrough)
    if let place = places[form] {
      records[place].count &+= 1
    } else if records.count < Self.limit {
      places[form] = records.count
      records.append(Record(call: call, count: 1, wasLetThrough: wasLetThrough))
    } else {
      omitted[call.syscall, default: 0] &+= 1
    }
  }

  /// The smallest addition to these grants by which the recorded calls are allowed that any policy allows.
  public func smallestGrants(beside grants: Set<Capability>, policy: SandboxPolicy) -> GrantSearch {
    SandboxPlan.smallestGrants(
      allowing: records.map { ObservedCall($0.call) }, grants: grants, policy: policy)
  }
}

/// What tells one record from another: the call, its path, and those arguments that say what is asked for. Addresses and
/// sizes do not, or a loop would fill the records with one call.
private struct Form: Hashable {
  let number: Int32
  let arguments: [String]
  let path: String?
  let wasLetThrough: Bool

  init(of call: Violation, wasLetThrough: Bool) {
    number = call.number
    path = call.path
    arguments = ArgumentText.telling(of: call.syscall, arguments: call.arguments)
    self.wasLetThrough = wasLetThrough
  }
}
