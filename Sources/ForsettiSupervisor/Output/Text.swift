import ForsettiCore

/// Text from outside made safe for a terminal: what is unfit for display becomes `\u{…}`.
func escaped(_ text: String) -> String { escaped(text, keeping: []) }

/// The same of a text in which some controls may stay, such as the line ends of several lines.
func escaped(_ text: String, keeping kept: [Unicode.Scalar]) -> String {
  guard text.unicodeScalars.contains(where: \.isUnfitForDisplay) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    if scalar.isUnfitForDisplay, !kept.contains(scalar) {
      result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// A number with a fixed count of decimals, rounded; without Foundation and without the locale.
func decimalText(_ value: Double, places: Int) -> String {
  var scale = 1
  for _ in 0..<places { scale *= 10 }
  guard let whole = Int(exactly: (value * Double(scale)).rounded()) else { return String(value) }
  let (units, parts) = whole.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
  let sign = whole < 0 ? "-" : ""
  guard places > 0 else { return sign + String(units) }
  let digits = String(parts)
  return "\(sign)\(units)." + String(repeating: "0", count: places - digits.count) + digits
}
