/// One thing wrong with a policy file.
public struct PolicyFault: Error, Sendable, Hashable {
  /// Last component of the path.
  public var file: String
  /// 1-based.
  public var line: Int
  /// 1-based, in Unicode scalars.
  public var column: Int
  /// RFC 6901 JSON Pointer to the value at fault; empty for the whole document.
  public var pointer: String
  /// One line: what is wrong, and what is meant.
  public var reason: String

  /// Makes a fault.
  public init(file: String, line: Int, column: Int, pointer: String, reason: String) {
    self.file = file
    self.line = line
    self.column = column
    self.pointer = pointer
    self.reason = reason
  }

  /// `FILE:LINE:COLUMN: POINTER: REASON`, one line for people.
  public var message: String {
    "\(file):\(line):\(column): \(pointer.isEmpty ? "" : pointer + ": ")\(reason)"
  }
}

/// Everything wrong with a policy file, in file order; never empty.
public struct PolicyFaults: Error, Sendable, Hashable {
  /// How many are kept of a file that is wrong all over.
  public static let limit = 1_000

  /// The faults, at most `limit`.
  public var faults: [PolicyFault]
  /// How many more there were.
  public var omitted: Int

  /// Makes a report.
  public init(faults: [PolicyFault], omitted: Int = 0) {
    self.faults = faults
    self.omitted = omitted
  }

  /// One line a fault.
  public var message: String {
    let lines = faults.map(\.message) + (omitted > 0 ? ["and \(omitted) more"] : [])
    return lines.joined(separator: "\n")
  }
}
