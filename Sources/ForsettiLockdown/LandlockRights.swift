/// What a Landlock ruleset handles on a given ABI: every right that ABI knows. A right that is handled and that no
/// rule gives back is refused (landlock(7), <linux/landlock.h> of Linux 6.15).
public struct LandlockRights: Sendable, Hashable {
  /// LANDLOCK_ACCESS_FS_*, a bit each.
  public var files: UInt64
  /// LANDLOCK_ACCESS_NET_*.
  public var network: UInt64
  /// LANDLOCK_SCOPE_*.
  public var scopes: UInt64

  /// The rights of an ABI; one newer than this table gets the newest known. 0 or less has none.
  public static func handled(byABI abi: Int32) -> LandlockRights {
    var rights = LandlockRights(files: 0, network: 0, scopes: 0)
    // ABI 1 (5.13): execute, write, read file, read folder, remove folder and file, make a file of each of 7 kinds.
    if abi >= 1 { rights.files = (1 << 13) - 1 }
    // ABI 2 (5.19): link and rename across folders.
    if abi >= 2 { rights.files |= 1 << 13 }
    // ABI 3 (6.2): truncate.
    if abi >= 3 { rights.files |= 1 << 14 }
    // ABI 4 (6.7): bind and connect TCP.
    if abi >= 4 { rights.network = 0b11 }
    // ABI 5 (6.10): ioctl on devices.
    if abi >= 5 { rights.files |= 1 << 15 }
    // ABI 6 (6.12): abstract UNIX sockets and signals outside the domain. ABI 7 (6.15) adds audit flags only.
    if abi >= 6 { rights.scopes = 0b11 }
    return rights
  }
}
