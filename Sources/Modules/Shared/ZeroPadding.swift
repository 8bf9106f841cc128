extension FixedWidthInteger {
  /// Its digits, with zeros in front up to a width, so that texts sort as their numbers do; 0 for what is below it.
  func zeroPadded(to width: Int) -> String {
    let digits = String(Swift.max(0, self))
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
