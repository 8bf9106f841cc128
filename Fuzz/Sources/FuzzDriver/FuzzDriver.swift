/// libFuzzer's own loop (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library"). The package manager gives each
/// executable a main of its own, so libFuzzer's cannot be used.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Fuzzes one reader of bytes with the arguments of the command line; returns the status to exit with.
public func fuzz(_ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt) -> CInt {
  var count = CommandLine.argc
  var arguments = CommandLine.unsafeArgv
  return runDriver(&count, &arguments, target)
}

extension UnsafeBufferPointer<UInt8> {
  /// What libFuzzer hands over; an empty input may have no address.
  public static func input(_ start: UnsafePointer<UInt8>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
  }
}
