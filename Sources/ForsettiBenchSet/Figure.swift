public import ForsettiCore

/// What one run of a measurement found, and how it is passed between processes: one line of JSON.
public struct Figure: Sendable {
  /// The median.
  public var median: Double
  /// What one sample in a hundred is worse than.
  public var worst: Double
  /// Samples.
  public var count: Int

  /// Of samples; `nil` when there are none.
  public init?(samples: [Double], highIsBad: Bool) {
    guard !samples.isEmpty else { return nil }
    let sorted = samples.sorted()
    let last = sorted.count - 1
    median = sorted[last / 2]
    worst = sorted[Int(Double(last) * (highIsBad ? 0.99 : 0.01) + 0.5)]
    count = sorted.count
  }

  /// A single value.
  public init(_ value: Double) { (median, worst, count) = (value, value, 1) }

  /// Reads a line that a floor, a worker or a peer printed.
  public init(line: String) throws(BenchFailure) {
    let root: JSONValue
    do { root = try JSONParser.parse(Array(line.utf8)).root } catch {
      throw BenchFailure("not a line of result: \(line)")
    }
    if let why = root["error"]?.stringValue ?? root["why"]?.stringValue { throw BenchFailure(why) }
    guard let median = root["p50"]?.doubleValue, let worst = root["p99"]?.doubleValue,
      let count = root["n"]?.integerValue
    else { throw BenchFailure("not a line of result: \(line)") }
    (self.median, self.worst, self.count) = (median, worst, Int(count))
  }

  /// The members of the line.
  public var members: [(String, JSONValue)] {
    [("p50", .number(median)), ("p99", .number(worst)), ("n", .integer(count))]
  }

  /// A line that says why there is none.
  public static func line(of failure: BenchFailure) -> String {
    JSONWriter.text(.object([("error", .string(failure.description))]))
  }

  /// The line, without its end.
  public var line: String { JSONWriter.text(.object(members)) }
}

extension [Double] {
  /// The middle value; of an even number the mean of the two in the middle. 0 of none.
  public var median: Double {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
