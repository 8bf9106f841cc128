public import ForsettiCore
import Glibc

/// What the programs beside the supervisor have in common that run no module's code: each is told by one request what to
/// do, and locks itself before it does it.
public enum LockedHelper {
  /// All that comes from a descriptor until its other end is closed; `nil` where it can't be read, or is more than
  /// `limit` bytes.
  public static func input(_ descriptor: Int32, limit: Int) -> [UInt8]? {
    // One more than may come, to see that nothing does.
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      guard count >= 0 else { return nil }
      if count == 0 { return Array(bytes[..<filled]) }
      filled += count
    }
    return nil
  }

  /// Locks this process for good: nobody of its user looks into it, and what its filter does not let through fails, for
  /// the listener that would be asked is closed.
  /// - Parameters:
  ///   - landlock: what stays within reach.
  ///   - mayBeRoot: whether a process of root may stay one, without its capabilities.
  /// - Throws: as `Lockdown.apply`.
  public static func lock(
    _ request: LockdownRequest, landlock: LandlockRuleset = LandlockRuleset(), mayBeRoot: Bool = false
  ) throws(LockdownFailure) {
    let result = try Lockdown.lock(request, landlock: landlock, mayBeRoot: mayBeRoot, isHidden: true)
    guard close(result.listener) == 0 else { throw LockdownFailure(step: .listener, errno: errno) }
  }
}
