/// The last digit of a number of the GS1 system, which the others decide (GS1 General Specifications, §7.9).
enum CheckDigit {
  /// The check digit of these digits: weights of 3 and 1 in turn, 3 for the last of them.
  static func of(_ digits: some BidirectionalCollection<Int>) -> Int {
    var sum = 0
    for (place, digit) in digits.reversed().enumerated() {
      sum += place.isMultiple(of: 2) ? digit * 3 : digit
    }
    return (10 - sum % 10) % 10
  }

  /// The eleven digits that a UPC-E code stands for, without the check digit: it leaves out four or five zeros, and its
  /// last digit says where (GS1 General Specifications, §5.2.2.4.2).
  /// - Parameter digits: the number system, 0 or 1, and the six that follow it; other counts expand to nothing.
  static func expandUPCE(_ digits: some Collection<Int>) -> [Int]? {
    let all = Array(digits)
    guard all.count == 7, let last = all.last, all[0] <= 1 else { return nil }
    let (system, six) = (all[0], Array(all[1...]))
    let middle: [Int] =
      switch last {
      case 0...2: [six[0], six[1], last, 0, 0, 0, 0, six[2], six[3], six[4]]
      case 3: [six[0], six[1], six[2], 0, 0, 0, 0, 0, six[3], six[4]]
      case 4: [six[0], six[1], six[2], six[3], 0, 0, 0, 0, 0, six[4]]
      default: [six[0], six[1], six[2], six[3], six[4], 0, 0, 0, 0, last]
      }
    return [system] + middle
  }
}
