/// What a Landlock ruleset handles: a right that is handled and that no rule gives back is refused (landlock(7),
/// <linux/landlock.h> of Linux 6.15).
public struct LandlockRights: Sendable, Hashable {
  /// LANDLOCK_ACCESS_FS_*.
  public var files: LandlockFileRights
  /// LANDLOCK_ACCESS_NET_*.
  public var network: LandlockNetworkRights
  /// LANDLOCK_SCOPE_*.
  public var scopes: LandlockScopes

  /// Makes rights; none unless told otherwise.
  public init(
    files: LandlockFileRights = [], network: LandlockNetworkRights = [], scopes: LandlockScopes = []
  ) {
    self.files = files
    self.network = network
    self.scopes = scopes
  }

  /// Every right that an ABI knows; an ABI newer than this table gets the newest known. 0 or less has none.
  public static func handled(byABI abi: Int32) -> LandlockRights {
    var rights = LandlockRights()
    // ABI 1 (5.13): execute, write, read file, read folder, remove folder and file, make a file of each of 7 kinds.
    if abi >= 1 { rights.files = LandlockFileRights(rawValue: (1 << 13) - 1) }
    // ABI 2 (5.19).
    if abi >= 2 { rights.files.insert(.refer) }
    // ABI 3 (6.2).
    if abi >= 3 { rights.files.insert(.truncate) }
    // ABI 4 (6.7).
    if abi >= 4 { rights.network = [.bindTCP, .connectTCP] }
    // ABI 5 (6.10).
    if abi >= 5 { rights.files.insert(.deviceControl) }
    // ABI 6 (6.12). ABI 7 (6.15) adds audit flags only.
    if abi >= 6 { rights.scopes = [.abstractSockets, .signals] }
    return rights
  }

  /// These without others.
  func subtracting(_ others: LandlockRights) -> LandlockRights {
    LandlockRights(
      files: files.subtracting(others.files), network: network.subtracting(others.network),
      scopes: scopes.subtracting(others.scopes))
  }
}

/// LANDLOCK_ACCESS_FS_*: what is done to files and folders.
public struct LandlockFileRights: OptionSet, Sendable, Hashable {
  /// A bit each.
  public let rawValue: UInt64
  /// Makes a set of these bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Execute a file.
  public static let execute = LandlockFileRights(rawValue: 1 << 0)
  /// Open a file for writing.
  public static let writeFile = LandlockFileRights(rawValue: 1 << 1)
  /// Open a file for reading.
  public static let readFile = LandlockFileRights(rawValue: 1 << 2)
  /// Open a folder, or list it.
  public static let readFolder = LandlockFileRights(rawValue: 1 << 3)
  /// Remove a folder, or rename it.
  public static let removeFolder = LandlockFileRights(rawValue: 1 << 4)
  /// Remove a file, or rename it.
  public static let removeFile = LandlockFileRights(rawValue: 1 << 5)
  /// Make a folder.
  public static let makeFolder = LandlockFileRights(rawValue: 1 << 7)
  /// Make a regular file.
  public static let makeFile = LandlockFileRights(rawValue: 1 << 8)
  /// Make a UNIX socket.
  public static let makeSocket = LandlockFileRights(rawValue: 1 << 9)
  /// Link or rename from one folder to another.
  public static let refer = LandlockFileRights(rawValue: 1 << 13)
  /// Truncate a file.
  public static let truncate = LandlockFileRights(rawValue: 1 << 14)
  /// ioctl(2) on a device that is opened later.
  public static let deviceControl = LandlockFileRights(rawValue: 1 << 15)

  /// Reading a file, or a folder and what is in it.
  public static let read: LandlockFileRights = [.readFile, .readFolder]
  /// Those that mean something on what is no folder; the kernel refuses a rule with others there.
  static let ofFile: LandlockFileRights = [.execute, .writeFile, .readFile, .truncate, .deviceControl]
}

/// LANDLOCK_ACCESS_NET_*.
public struct LandlockNetworkRights: OptionSet, Sendable, Hashable {
  /// A bit each.
  public let rawValue: UInt64
  /// Makes a set of these bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Bind a TCP socket to a port.
  public static let bindTCP = LandlockNetworkRights(rawValue: 1 << 0)
  /// Connect a TCP socket to a port.
  public static let connectTCP = LandlockNetworkRights(rawValue: 1 << 1)
}

/// LANDLOCK_SCOPE_*: what reaches processes outside the domain.
public struct LandlockScopes: OptionSet, Sendable, Hashable {
  /// A bit each.
  public let rawValue: UInt64
  /// Makes a set of these bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Connect to an abstract UNIX socket.
  public static let abstractSockets = LandlockScopes(rawValue: 1 << 0)
  /// Send a signal.
  public static let signals = LandlockScopes(rawValue: 1 << 1)
}
