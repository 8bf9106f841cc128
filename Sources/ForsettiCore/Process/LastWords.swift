/// What a crashing process wrote of itself, by the host's own handler. It is the module's word: bounded, possibly
/// forged, and believed only where the kernel names the same signal.
public struct LastWords: Sendable, Hashable {
  /// Frames that a record holds at most.
  public static let maximumFrames = 62

  /// The signal.
  public var signal: Int32
  /// si_code: above 0 a fault of the process's own, else somebody sent the signal.
  public var code: Int32
  /// The address of the fault; 0 where the signal was sent.
  public var address: UInt64
  /// Where the executable's first byte was mapped; 0 where the handler did not know.
  public var base: UInt64
  /// The instruction, then return addresses, innermost first.
  public var frames: [UInt64]

  /// Makes a record.
  public init(signal: Int32, code: Int32, address: UInt64, base: UInt64, frames: [UInt64]) {
    self.signal = signal
    self.code = code
    self.address = address
    self.base = base
    self.frames = frames
  }
}
