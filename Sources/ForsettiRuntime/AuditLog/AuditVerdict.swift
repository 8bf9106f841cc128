import ForsettiCore

/// What a look at a whole audit log found.
public struct AuditVerdict: Sendable, Hashable {
  /// Where the chain breaks first.
  public struct Break: Sendable, Hashable {
    /// The file.
    public var path: String
    /// The line in it, from 1.
    public var line: Int
    /// What is wrong with it, in words.
    public var reason: String
  }

  /// Files that were read.
  public var files = 0
  /// Lines that follow one another.
  public var lines = 0
  /// The number of the first of them: above 1 where older files were rotated away.
  public var first = 0
  /// The number of the last good line.
  public var last = 0
  /// Its hash. Whoever keeps both elsewhere sees later whether lines were cut off the end.
  public var hash = AuditChain.origin
  /// The first break, if there is one; nothing behind it was looked at.
  public var firstBreak: Break?

  /// Reads the audit log of a state folder as it is at one moment, also while a supervisor goes on with it; `nil` where
  /// there is none. May block.
  /// - Throws: a file that can't be read, or that somebody else could have changed.
  public static func read(stateFolder: String) throws(TrustedFileError) -> AuditVerdict? {
    let files = AuditFolder(state: stateFolder)
    let folder: TrustedFolder
    do { folder = try TrustedFolder(files.path) } catch {
      if error.fault == .absent { return nil }
      throw error
    }
    let parts: [AuditFolder.Part]
    do throws(AuditError) { parts = try files.parts(folder) } catch { throw error.whenRead }
    guard !parts.isEmpty else { return nil }
    var reader = AuditReader()
    for part in parts {
      guard reader.read(try part.bytes(), path: part.path) else { break }
    }
    return reader.verdict
  }
}

/// Follows the chain through one file after the other.
private struct AuditReader {
  private var chain: AuditChain?
  private(set) var verdict = AuditVerdict()

  init() {}

  /// False at the first break.
  mutating func read(_ bytes: [UInt8], path: String) -> Bool {
    verdict.files += 1
    var number = 0
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      number += 1
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      do throws(AuditChain.Fault) { try follow(line) } catch {
        verdict.firstBreak = AuditVerdict.Break(path: path, line: number, reason: "\(error)")
        return false
      }
    }
    guard rest.isEmpty else {
      verdict.firstBreak = AuditVerdict.Break(
        path: path, line: number + 1, reason: "it ends in the middle, by a crash or a full disk")
      return false
    }
    return true
  }

  private mutating func follow(_ line: ArraySlice<UInt8>) throws(AuditChain.Fault) {
    if var chain {
      try chain.follow(line)
      self.chain = chain
    } else {
      let first = try AuditChain(at: line)
      // The first line there ever was has nothing before it.
      if first.sequence == 1 {
        var whole = AuditChain()
        try whole.follow(line)
      }
      verdict.first = first.sequence
      chain = first
    }
    verdict.lines += 1
    verdict.last = chain?.sequence ?? 0
    verdict.hash = chain?.hash ?? AuditChain.origin
  }
}

extension AuditChain.Fault: CustomStringConvertible {
  /// The fault in words.
  var description: String {
    switch self {
    case .malformed: "it is no line of an audit log"
    case .changed: "it was changed: its hash is not that of what it says"
    case .broken: "it does not follow the line before it: a line was taken out, put in or replaced"
    case .gap(let expected, let found): "its number is \(found) where \(expected) follows"
    }
  }
}
