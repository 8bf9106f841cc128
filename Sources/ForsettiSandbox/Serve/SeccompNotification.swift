/// A call that waits for the supervisor's answer (struct seccomp_notif).
public struct SeccompNotification: Sendable, Hashable {
  /// The kernel's cookie for this call; an answer must carry it.
  public var id: UInt64
  /// The thread that waits, in the supervisor's PID namespace.
  public var thread: Int32
  /// Number of the call on this architecture; the filter has ended any other.
  public var number: Int32
  /// The six registers as the caller left them.
  public var arguments: Arguments
  /// Where the caller stands.
  public var instructionPointer: UInt64

  /// The six argument registers, held in place: a notification allocates nothing.
  public struct Arguments: Sendable, Hashable {
    private var registers: SIMD8<UInt64>

    /// Takes up to six registers; missing ones are 0.
    public init(_ values: UInt64...) { self.init(values) }

    /// Takes up to six registers; missing ones are 0.
    public init(_ values: [UInt64]) {
      registers = .zero
      for (index, value) in values.prefix(6).enumerated() { registers[index] = value }
    }

    /// One register, 0 to 5; 0 for any other index.
    public subscript(index: Int) -> UInt64 { (0..<6).contains(index) ? registers[index] : 0 }

    /// All six, for a report.
    public var array: [UInt64] { (0..<6).map { registers[$0] } }
  }

  /// Makes a notification.
  public init(
    id: UInt64, thread: Int32, number: Int32, arguments: Arguments = Arguments(),
    instructionPointer: UInt64 = 0
  ) {
    self.id = id
    self.thread = thread
    self.number = number
    self.arguments = arguments
    self.instructionPointer = instructionPointer
  }
}
