/// A time for people: milliseconds with two decimals.
struct Milliseconds: CustomStringConvertible {
  let nanoseconds: UInt64

  var description: String {
    let hundredths = nanoseconds / 10_000
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) ms"
  }
}
