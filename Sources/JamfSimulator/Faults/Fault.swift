/// What goes wrong with one answer.
enum Fault: Sendable, Equatable {
  /// This status instead of the answer; with a Retry-After of so many seconds where one is given.
  case status(Int, retryAfter: Int?)
  /// The answer, so many milliseconds late.
  case slow(milliseconds: Int)
  /// The answer, cut off behind so many bytes.
  case cut(bytes: Int)
  /// JSON, but of another shape.
  case wrongJSON
  /// A page for people, with status 200, as a proxy or a log-in form sends.
  case html
  /// The page before the one that was asked for.
  case duplicatePage
  /// The answer with another total: more by so many each time.
  case changingTotal(by: Int)
}

/// Which requests a fault meets.
struct FaultRule: Sendable, Equatable {
  /// Nothing for any.
  var method: String?
  /// A path; everything below it where it ends in `*`.
  var path: String
  /// So many requests that it would meet go well first.
  var after: Int
  /// So many it meets then; 0 for all.
  var times: Int
  var fault: Fault

  func matches(method: String, path: String) -> Bool {
    guard self.method == nil || self.method == method else { return false }
    return self.path.hasSuffix("*") ? path.hasPrefix(self.path.dropLast()) : path == self.path
  }
}

/// The faults to come. The same requests in the same order meet the same faults.
public struct FaultSchedule: Sendable, Equatable {
  let rules: [FaultRule]
  /// Requests that each rule has seen.
  private var seen: [Int]

  /// Rules at most.
  static let limit = 64

  /// Nothing goes wrong.
  public static let none = FaultSchedule([])

  init(_ rules: [FaultRule]) {
    self.rules = rules
    seen = rules.map { _ in 0 }
  }

  /// A fault that meets a request, and the how-manieth of its rule this is, from 1.
  struct Hit: Sendable, Equatable {
    var fault: Fault
    var count: Int
  }

  /// Counts a request; the first rule that meets it decides, the others have seen it too.
  mutating func next(method: String, path: String) -> Hit? {
    var hit: Hit?
    for (index, rule) in rules.enumerated() where rule.matches(method: method, path: path) {
      seen[index] += 1
      let count = seen[index] - rule.after
      guard hit == nil, count > 0, rule.times == 0 || count <= rule.times else { continue }
      hit = Hit(fault: rule.fault, count: count)
    }
    return hit
  }
}
