/// What a module process leaves behind when it ends, as far as the supervisor could see it.
public struct CrashEvidence: Sendable, Hashable {
  /// Log lines that are kept.
  public static let logLines = 50
  /// Bytes of UTF-8 that are kept of each.
  public static let logLineBytes = 1024
  /// Frame heads that are kept.
  public static let frameHeads = 20

  /// From the making of its process until it was reaped.
  public var lifetimeMilliseconds: Int64
  /// The Swift runtime's or the C library's last message.
  public var message: String?
  /// What faulted, where its own handler said so.
  public var fault: CrashFault?
  /// Where it stood, innermost first; function names are filled in by whoever reads symbols.
  public var backtrace: [CrashFrame]
  /// The last records and lines it wrote, oldest first.
  public var log: [CrashLogLine]
  /// The last frames it sent, oldest first.
  public var frameHeads: [CrashFrameHead]
  /// What it used up; `nil` where the kernel did not say.
  public var usage: CrashUsage?
  /// System calls that the supervisor answered, by name.
  public var servedCalls: [String: UInt64]
  /// Those of them that had to wait for their turn.
  public var delayedCalls: UInt64
  /// What could not be known, and why, one line each.
  public var missing: [String]

  /// Makes evidence; the default knows nothing.
  public init(
    lifetimeMilliseconds: Int64 = 0, message: String? = nil, fault: CrashFault? = nil,
    backtrace: [CrashFrame] = [], log: [CrashLogLine] = [], frameHeads: [CrashFrameHead] = [],
    usage: CrashUsage? = nil, servedCalls: [String: UInt64] = [:], delayedCalls: UInt64 = 0,
    missing: [String] = []
  ) {
    self.lifetimeMilliseconds = lifetimeMilliseconds
    self.message = message
    self.fault = fault
    self.backtrace = backtrace
    self.log = log
    self.frameHeads = frameHeads
    self.usage = usage
    self.servedCalls = servedCalls
    self.delayedCalls = delayedCalls
    self.missing = missing
  }
}

/// A fault as the crashing process's own handler saw it.
public struct CrashFault: Sendable, Hashable {
  /// The signal.
  public var signal: Int32
  /// si_code of sigaction(2).
  public var code: Int32
  /// The address that could not be reached or run; 0 where the signal was sent.
  public var address: UInt64

  /// Makes a fault.
  public init(signal: Int32, code: Int32, address: UInt64) {
    self.signal = signal
    self.code = code
    self.address = address
  }
}

/// One place in the code, from the instruction outwards.
public struct CrashFrame: Sendable, Hashable {
  /// The instruction, or the one that a call returns to.
  public var address: UInt64
  /// The executable that the address lies in, where that is known.
  public var file: String?
  /// The address less that of the executable's first byte: what a symbol table goes by.
  public var offset: UInt64?
  /// The function, demangled, where somebody has looked it up.
  public var function: String?
  /// How far into the function it is, bytes.
  public var functionOffset: UInt64?

  /// Makes a frame.
  public init(
    address: UInt64, file: String? = nil, offset: UInt64? = nil, function: String? = nil,
    functionOffset: UInt64? = nil
  ) {
    self.address = address
    self.file = file
    self.offset = offset
    self.function = function
    self.functionOffset = functionOffset
  }
}

/// A record of the module's logger, or a line of its stdout or stderr.
public struct CrashLogLine: Sendable, Hashable {
  /// Milliseconds after its process was made.
  public var atMilliseconds: Int64
  /// How much it weighs; `nil` for a line of stdout or stderr.
  public var level: LogLevel?
  /// At most `CrashEvidence.logLineBytes`, as it came.
  public var text: String

  /// Makes a line.
  public init(atMilliseconds: Int64, level: LogLevel?, text: String) {
    self.atMilliseconds = atMilliseconds
    self.level = level
    self.text = text
  }
}

/// What a frame of the protocol begins with; its payload is nobody's business.
public struct CrashFrameHead: Sendable, Hashable {
  /// What the frame is, as docs/protocol.md names it.
  public var kind: String
  /// Joins an answer to its call; 0 where there is none.
  public var callID: UInt64
  /// Bytes after the header.
  public var length: UInt32
  /// The method that a call is of, `storage.set`.
  public var method: String?

  /// Makes a head.
  public init(kind: String, callID: UInt64, length: UInt32, method: String? = nil) {
    self.kind = kind
    self.callID = callID
    self.length = length
    self.method = method
  }
}

/// What a process used up in its life (getrusage(2)).
public struct CrashUsage: Sendable, Hashable {
  /// CPU time in its own code, microseconds.
  public var userMicroseconds: Int64
  /// CPU time in the kernel, microseconds.
  public var systemMicroseconds: Int64
  /// The most memory it ever held, KiB.
  public var peakMemoryKiB: Int64
  /// Page faults that read from a device.
  public var majorFaults: Int64
  /// The other page faults.
  public var minorFaults: Int64
  /// How often it waited.
  public var voluntarySwitches: Int64
  /// How often its time was up.
  public var involuntarySwitches: Int64

  /// Makes a usage.
  public init(
    userMicroseconds: Int64, systemMicroseconds: Int64, peakMemoryKiB: Int64, majorFaults: Int64,
    minorFaults: Int64, voluntarySwitches: Int64, involuntarySwitches: Int64
  ) {
    self.userMicroseconds = userMicroseconds
    self.systemMicroseconds = systemMicroseconds
    self.peakMemoryKiB = peakMemoryKiB
    self.majorFaults = majorFaults
    self.minorFaults = minorFaults
    self.voluntarySwitches = voluntarySwitches
    self.involuntarySwitches = involuntarySwitches
  }
}
