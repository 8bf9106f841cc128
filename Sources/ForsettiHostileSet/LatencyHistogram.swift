import Glibc

/// Times in classes that are a twentieth apart: small enough for an event, and those of many spans add up.
public struct LatencyHistogram: Sendable, Hashable {
  private static let step = 1.05

  private var classes: [Int: Int] = [:]

  /// Makes an empty one.
  public init() {}

  /// How many times are in it.
  public var count: Int { classes.values.reduce(0, +) }

  /// Adds a time.
  public mutating func add(microseconds: Double) {
    classes[Int(log(max(1, microseconds)) / log(Self.step)), default: 0] += 1
  }

  /// Adds those of another.
  public mutating func add(_ other: LatencyHistogram) { classes.merge(other.classes, uniquingKeysWith: +) }

  /// Microseconds below which 99 of a hundred are, to a twentieth; 0 where there are none.
  public var p99Microseconds: Double {
    let wanted = (count * 99 + 99) / 100
    var seen = 0
    for (index, number) in classes.sorted(by: { $0.key < $1.key }) {
      seen += number
      if seen >= wanted { return pow(Self.step, Double(index + 1)) }
    }
    return 0
  }

  /// As text: `class:count`, separated by spaces.
  public var text: String {
    classes.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
  }

  /// Reads a text; `nil` where it is none.
  public init?(_ text: String) {
    for part in text.split(separator: " ") {
      let numbers = part.split(separator: ":").compactMap { Int($0) }
      guard numbers.count == 2, (0...1_000).contains(numbers[0]), numbers[1] > 0 else { return nil }
      classes[numbers[0]] = numbers[1]
    }
  }
}
