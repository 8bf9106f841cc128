/// A text that nobody guesses.
public enum RandomToken {
  /// 128 bits from the system (getrandom(2)), as 32 hexadecimal digits.
  public static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
