/// The Swift runtime's last words when memory is refused it: it says so on stderr, and aborts
/// (`swift_abortAllocationFailure`; Swift 6.3 prints "Fatal error: failed to allocate 1024 bytes of memory with alignment
/// 15"). The line is the module's own word: what it can gain by a lie is that its abort has another name.
public enum AllocationFailure {
  private static let begin = "Fatal error: failed to allocate "
  private static let middle = " bytes of memory with alignment "

  /// Whether a line of stderr is that.
  public static func isNamed(by line: some StringProtocol) -> Bool {
    guard line.hasPrefix(begin) else { return false }
    let rest = line.dropFirst(begin.count)
    let count = rest.prefix { $0.isASCII && $0.isNumber }
    return !count.isEmpty && rest.dropFirst(count.count).hasPrefix(middle)
  }
}
