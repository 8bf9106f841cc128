/// Makes codes and passwords.
enum SecretMaker {
  /// Six digits, as a lock of a Mac wants them; zeros in front count.
  static func pin(using generator: inout some RandomNumberGenerator) -> String {
    String((0..<6).map { _ in digit.randomElement(using: &generator) ?? "0" })
  }

  /// A password for a local administrator: twenty characters that nobody mistakes for one another on a screen, which
  /// is more than 110 bits.
  static func password(using generator: inout some RandomNumberGenerator) -> String {
    String((0..<20).map { _ in clear.randomElement(using: &generator) ?? "x" })
  }

  private static let digit = Array("0123456789")
  private static let clear = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-+=")
}
