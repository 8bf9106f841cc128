public import ForsettiCore

/// The protocol versions one end speaks, inclusive. This build speaks version 1.
public struct ProtocolRange: Sendable, Hashable {
  /// What this build speaks.
  public static let current = ProtocolRange(lowest: 1, highest: 1)

  /// The oldest version spoken.
  public var lowest: UInt16
  /// The newest version spoken.
  public var highest: UInt16

  /// Makes a range.
  public init(lowest: UInt16, highest: UInt16) {
    self.lowest = lowest
    self.highest = highest
  }

  /// The highest version both ends speak, if any.
  public func highestCommon(with other: ProtocolRange) -> UInt16? {
    let version = min(highest, other.highest)
    return version >= max(lowest, other.lowest) ? version : nil
  }
}

/// `setUp`: the first frame to a child; in the pipe before the child exists.
public struct SetUpMessage: Sendable, Hashable {
  /// What the supervisor speaks.
  public var versions: ProtocolRange
  /// Which module the process is to be.
  public var moduleID: String
  /// The name it is registered under in the host.
  public var entryPoint: String
  /// How to lock itself, before any module code.
  public var lockdown: LockdownRequest

  /// Makes a message.
  public init(versions: ProtocolRange, moduleID: String, entryPoint: String, lockdown: LockdownRequest) {
    self.versions = versions
    self.moduleID = moduleID
    self.entryPoint = entryPoint
    self.lockdown = lockdown
  }
}

/// `locked`: every layer is on; the child waits for `release`.
public struct LockedMessage: Sendable, Hashable {
  /// The version that both ends speak from here on.
  public var version: UInt16
  /// The child's descriptor of its seccomp listener, to be taken with pidfd_getfd(2).
  public var listener: Int32
  /// Landlock ABI the kernel offered, 0 where it has none and the policy lets it be missing.
  public var landlockABI: Int32

  /// Makes a message.
  public init(version: UInt16, listener: Int32, landlockABI: Int32) {
    self.version = version
    self.listener = listener
    self.landlockABI = landlockABI
  }
}

/// `refused`: why the child could not lock itself; it exits after it.
public enum RefusedMessage: Sendable, Hashable {
  case lockdown(step: SandboxLayer, errno: Int32)
  case version(ProtocolRange)
  case badSetUp(String)
}

/// `identify`: the first frame to a third party's executable, once it runs in the place of the host that locked it.
public struct IdentifyMessage: Sendable, Hashable {
  /// What the supervisor speaks.
  public var versions: ProtocolRange
  /// Which module the process is to be.
  public var moduleID: String
  /// The manifest's entry point; an executable of one module need not look at it.
  public var entryPoint: String

  /// Makes a message.
  public init(versions: ProtocolRange, moduleID: String, entryPoint: String) {
    self.versions = versions
    self.moduleID = moduleID
    self.entryPoint = entryPoint
  }
}

/// `describe`: the module's own word on what it is; read once.
public struct DescribeMessage: Sendable, Hashable {
  /// Its identity.
  public var descriptor: ModuleDescriptor
  /// Its manifest as it states it in code.
  public var manifest: ModuleManifest
  /// Whether it can contribute UI.
  public var isUIModule: Bool
  /// Present exactly when `isUIModule`.
  public var contributions: UIContributions?
  /// The protocol version chosen of those that `identify` offered; `nil` where the host chose it in `locked`.
  public var version: UInt16?

  /// Makes a message.
  public init(
    descriptor: ModuleDescriptor, manifest: ModuleManifest, isUIModule: Bool, contributions: UIContributions?,
    version: UInt16? = nil
  ) {
    self.version = version
    self.descriptor = descriptor
    self.manifest = manifest
    self.isUIModule = isUIModule
    self.contributions = contributions
  }
}

/// `describeFailed`: the host has no module under the entry point.
public struct DescribeFailedMessage: Sendable, Hashable {
  /// The name that nothing is registered under.
  public var entryPoint: String

  /// Makes a message.
  public init(entryPoint: String) { self.entryPoint = entryPoint }
}

/// `start`: the grants the module runs with; optional capabilities the policy denied are not among them.
public struct StartMessage: Sendable, Hashable {
  /// Each once.
  public var grants: [Capability]
  /// Whether the module may look for input a few microseconds longer before it sleeps, where that pays.
  public var spin: Bool

  /// Makes a message.
  public init(grants: [Capability], spin: Bool = false) {
    self.grants = grants
    self.spin = spin
  }
}

/// `startFailed`: what `start(context:)` threw, as text for people.
public struct StartFailedMessage: Sendable, Hashable {
  /// At most 8 KiB.
  public var reason: String

  /// Makes a message.
  public init(reason: String) { self.reason = reason }
}

/// `log`: one record; the supervisor attributes it.
public struct LogMessage: Sendable, Hashable {
  /// How much it matters.
  public var level: LogLevel
  /// At most 8 KiB.
  public var message: String
  /// At most 32 entries.
  public var metadata: [String: String]

  /// Makes a record.
  public init(level: LogLevel, message: String, metadata: [String: String] = [:]) {
    self.level = level
    self.message = message
    self.metadata = metadata
  }
}

/// `publish`, decoded; where it is forwarded, `EventHead` and `EventPayload` read it where it lies.
public struct PublishMessage: Sendable, Hashable {
  /// At most 1 KiB; it travels in the head.
  public var type: String
  /// At most 1,024 entries, 1 MiB in all; no key starts `_forsetti.`.
  public var payload: [String: String]

  /// Makes an event to publish.
  public init(type: String, payload: [String: String] = [:]) {
    self.type = type
    self.payload = payload
  }
}

/// Any frame of this version of the protocol but calls and deliveries (`FrameKind.isTraffic`), decoded.
public enum ProtocolMessage: Sendable, Hashable {
  case setUp(SetUpMessage)
  case locked(LockedMessage)
  case refused(RefusedMessage)
  case release
  case identify(IdentifyMessage)
  case describe(DescribeMessage)
  case describeFailed(DescribeFailedMessage)
  case start(StartMessage)
  case started
  case startFailed(StartFailedMessage)
  case stop
  case stopped
  case ping
  case pong
  case log(LogMessage)
  case publish(PublishMessage)
}
