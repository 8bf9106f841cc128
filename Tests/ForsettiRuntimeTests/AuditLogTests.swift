import ForsettiCore
import ForsettiTestKit
import Foundation
import Glibc
import Testing

@testable import ForsettiRuntime

@Suite("The audit log") struct AuditLogTests {
  private static func log(_ scratch: Scratch, _ count: Int, fileLimit: Int = 8 << 20) throws -> AuditFolder {
    var folder = AuditFolder(state: scratch.path)
    folder.fileLimit = fileLimit
    for number in 1...count {
      try folder.append(AuditEvent(.denied, moduleID: "com.a", details: ["n": "\(number)"]), time: 1_000)
    }
    return folder
  }

  private static func verdict(_ scratch: Scratch) throws -> AuditVerdict? {
    try AuditVerdict.read(stateFolder: scratch.path)
  }

  private static func current(_ folder: AuditFolder) -> String { folder.path + "/" + AuditFolder.current }

  private static func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private static func write(_ lines: [String], _ path: String) throws {
    try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
  }

  @Test("is lines of JSON that only its user can read, each with the hash of the one before it")
  func lines() throws {
    let scratch = try Scratch()
    let folder = try Self.log(scratch, 2)
    let lines = try Self.lines(Self.current(folder))
    let objects = try lines.map { try JSONParser.parse(Array($0.utf8)).root }
    #expect(objects.map { $0["seq"]?.integerValue } == [1, 2])
    #expect(objects[0]["event"]?.stringValue == "denied" && objects[0]["module"]?.stringValue == "com.a")
    #expect(objects[0]["time"]?.stringValue == "1970-01-01T00:00:01.000Z")
    #expect(objects[0]["prev"]?.stringValue == AuditChain.origin)
    #expect(objects[1]["prev"]?.stringValue == objects[0]["hash"]?.stringValue)
    var status = stat()
    #expect(stat(Self.current(folder), &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(stat(folder.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    let verdict = try #require(try Self.verdict(scratch))
    #expect(verdict.firstBreak == nil && verdict.lines == 2 && verdict.first == 1 && verdict.last == 2)
    #expect(verdict.hash == objects[1]["hash"]?.stringValue)
  }

  @Test("shows the first line that was changed, taken out, put in, or replaced, wherever it is")
  func breaks() throws {
    let edits: [(line: Int, edit: (inout [String]) -> Void)] = [
      (3, { $0[2] = $0[2].replacingOccurrences(of: "\"n\":\"3\"", with: "\"n\":\"4\"") }),
      (3, { $0.remove(at: 2) }),
      (4, { $0.insert($0[2], at: 3) }),
      (2, { $0.swapAt(1, 2) }),
      (5, { $0[4] = "" + $0[4].dropLast() }),
      (1, { $0.removeFirst() }),
      (6, { $0.append("{}") }),
    ]
    for (index, edit) in edits.enumerated() {
      let scratch = try Scratch()
      let file = Self.current(try Self.log(scratch, 5))
      var lines = try Self.lines(file)
      edit.edit(&lines)
      try Self.write(lines, file)
      let verdict = try #require(try Self.verdict(scratch))
      // Without its first line it looks as if that had been rotated away: its number tells.
      if edit.line == 1 {
        #expect(verdict.firstBreak == nil && verdict.first == 2)
      } else {
        #expect(verdict.firstBreak?.line == edit.line, "edit \(index)")
        #expect(verdict.lines == edit.line - 1)
      }
    }
  }

  @Test("a line whose hash was made anew breaks at the next one")
  func forged() throws {
    let scratch = try Scratch()
    let file = Self.current(try Self.log(scratch, 3))
    var lines = try Self.lines(file)
    var chain = try AuditChain(at: Array(lines[0].utf8)[...])
    let forged = chain.append(AuditEvent(.granted, moduleID: "com.a"), time: 1_000)
    lines[1] = String(decoding: forged.dropLast(), as: UTF8.self)
    try Self.write(lines, file)
    let found = try #require(try Self.verdict(scratch)?.firstBreak)
    #expect(found.line == 3 && found.reason == "\(AuditChain.Fault.broken)")
  }

  @Test("goes on through its files, and the oldest give way")
  func rotates() throws {
    let scratch = try Scratch()
    var folder = try Self.log(scratch, 40, fileLimit: 1_000)
    let whole = try #require(try Self.verdict(scratch))
    #expect(whole.files > 5 && whole.lines == 40 && whole.first == 1 && whole.firstBreak == nil)
    folder.keptFiles = 2
    try folder.appendAll((41...50).map { (AuditEvent(.granted, details: ["n": "\($0)"]), 1_000) })
    try folder.append(AuditEvent(.granted), time: 1_000)
    let verdict = try #require(try Self.verdict(scratch))
    #expect(verdict.files == 3 && verdict.last == 51 && verdict.first > 1 && verdict.firstBreak == nil)
    // A rotated file that is gone from between is missed.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let middle = try #require(names.filter { $0 != AuditFolder.current }.last)
    try FileManager.default.removeItem(atPath: folder.path + "/" + middle)
    #expect(try Self.verdict(scratch)?.firstBreak != nil)
  }

  @Test("however many events wait, no file outgrows its limit by more than a line, and none is lost")
  func batches() throws {
    let scratch = try Scratch()
    var folder = AuditFolder(state: scratch.path)
    folder.fileLimit = 2_000
    let events = (1...50).map { (event: AuditEvent(.denied, details: ["n": "\($0)"]), time: Int64(1)) }
    let first = try folder.append(events)
    #expect(first >= 1 && first < events.count)
    try folder.appendAll(Array(events[first...]))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let longest = try names.flatMap { try Self.lines(folder.path + "/" + $0) }.map(\.utf8.count).max() ?? 0
    for name in names {
      let size = try Self.lines(folder.path + "/" + name).reduce(0) { $0 + $1.utf8.count + 1 }
      #expect(size <= folder.fileLimit + longest)
    }
    let verdict = try #require(try Self.verdict(scratch))
    #expect(verdict.firstBreak == nil && verdict.lines == 50 && verdict.files == names.count)
    // One that is larger than a file by itself has one.
    folder.fileLimit = 10
    #expect(try folder.append(events) == 1)
  }

  @Test("cut off in the middle of a line it goes on behind the last whole one, and says so")
  func torn() throws {
    let scratch = try Scratch()
    let folder = try Self.log(scratch, 2)
    let file = Self.current(folder)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try (text + "{\"seq\":3,").write(toFile: file, atomically: false, encoding: .utf8)
    #expect(try Self.verdict(scratch)?.firstBreak?.line == 3)
    try folder.append(AuditEvent(.granted), time: 2_000)
    let verdict = try #require(try Self.verdict(scratch))
    #expect(verdict.firstBreak == nil && verdict.lines == 4)
    let lines = try Self.lines(file)
    #expect(lines[2].contains("\"event\":\"repaired\"") && lines[2].contains("\"bytes\":\"9\""))
  }

  @Test(
    "whose last line was changed, that somebody else could change, or that is a link, nothing is written to")
  func refused() throws {
    let scratch = try Scratch()
    let folder = try Self.log(scratch, 2)
    let file = Self.current(folder)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacingOccurrences(of: "\"n\":\"2\"", with: "\"n\":\"3\"")
      .write(toFile: file, atomically: false, encoding: .utf8)
    #expect(throws: AuditError.damaged(path: file)) { try folder.append(AuditEvent(.granted), time: 1) }
    chmod(file, 0o622)
    let writable = #expect(throws: AuditError.self) { try folder.append(AuditEvent(.granted), time: 1) }
    guard case .untrusted = writable else {
      Issue.record("\(String(describing: writable))")
      return
    }
    unlink(file)
    symlink("/dev/null", file)
    #expect(throws: AuditError.failed(path: file, errno: ELOOP)) {
      try folder.append(AuditEvent(.granted), time: 1)
    }
  }

  @Test("takes any text, and lines stay within their bound")
  func texts() throws {
    let scratch = try Scratch()
    let folder = AuditFolder(state: scratch.path)
    let bad = String(repeating: "\u{1}\"\\\n\u{202E}", count: 40_000)
    let details = Dictionary(uniqueKeysWithValues: (0..<40).map { ("\($0)\(bad)", bad) })
    try folder.append(AuditEvent(.denied, moduleID: bad, actor: bad, details: details), time: 1)
    try folder.append(AuditEvent(.granted), time: 1)
    let verdict = try #require(try Self.verdict(scratch))
    #expect(verdict.firstBreak == nil && verdict.lines == 2)
    #expect(try Self.lines(Self.current(folder)).allSatisfy { $0.utf8.count <= AuditChain.lineLimit })
  }

  @Test("two writers go on with one chain")
  func together() async throws {
    let scratch = try Scratch()
    let path = scratch.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          var folder = AuditFolder(state: path)
          folder.fileLimit = 4_000
          folder.keptFiles = 1_000
          for _ in 0..<50 { try folder.append(AuditEvent(.changed, actor: "operator:\(writer)"), time: 1) }
        }
      }
      try await group.waitForAll()
    }
    let verdict = try #require(try Self.verdict(scratch))
    #expect(verdict.firstBreak == nil && verdict.lines == 200 && verdict.last == 200)
  }

  @Test("a file that has the name of one to come is not written over: somebody put it there") func taken()
    throws
  {
    let scratch = try Scratch()
    let folder = try Self.log(scratch, 1, fileLimit: 1)
    let first = folder.path + "/audit-" + String(repeating: "0", count: 11) + "1.jsonl"
    try Self.write(["put here by another"], first)
    chmod(first, 0o600)
    #expect(throws: AuditError.damaged(path: first)) {
      try folder.append(AuditEvent(.denied), time: 1_000)
    }
    #expect(try Self.lines(first) == ["put here by another"])
    #expect(try Self.lines(Self.current(folder)).count == 1)
  }

  @Test("read while others write to it and rotate it, it is whole")
  func readMeanwhile() async throws {
    let scratch = try Scratch()
    let path = scratch.path
    let found = try await withThrowingTaskGroup(of: [AuditVerdict].self) { group in
      for _ in 0..<2 {
        group.addTask {
          var folder = AuditFolder(state: path)
          folder.fileLimit = 20_000
          folder.keptFiles = 3
          let event = AuditEvent(.changed, details: ["text": String(repeating: "x", count: 900)])
          for _ in 0..<60 { try folder.appendAll([(event, 1), (event, 1), (event, 1)]) }
          return []
        }
      }
      group.addTask {
        var verdicts: [AuditVerdict] = []
        while verdicts.last?.last ?? 0 < 360 {
          if let verdict = try AuditVerdict.read(stateFolder: path) { verdicts.append(verdict) }
        }
        return verdicts
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(found.compactMap(\.firstBreak) == [])
    #expect(found.last?.last == 360)
  }

  @Test("a number that none can follow is no line's")
  func numbers() throws {
    let scratch = try Scratch()
    let file = Self.current(try Self.log(scratch, 1))
    for (number, isLine) in [
      ("9007199254740992", true), ("9007199254740993", false), ("\(Int64.max)", false),
    ] {
      let body = try #require(try Self.lines(file).first).replacingOccurrences(
        of: "\"seq\":1,", with: "\"seq\":\(number),")
      let whole = String(body.dropLast(64 + 2 + 9))
      let line = whole + ",\"hash\":\"" + SHA256.hex(Array(whole.utf8)) + "\"}"
      #expect(((try? AuditChain(at: Array(line.utf8)[...])) != nil) == isLine, "\(number)")
    }
  }

  @Test("keeps what was recorded in its order, and returns from flush when it is on the disk")
  func recorder() async throws {
    let scratch = try Scratch()
    let log = try AuditLog(stateFolder: scratch.path, logger: RecordingLogger())
    for number in 0..<1_000 { log.record(AuditEvent(.denied, details: ["n": "\(number)"])) }
    await log.flush()
    let lines = try Self.lines(Self.current(AuditFolder(state: scratch.path)))
    let numbers = try lines.map { try JSONParser.parse(Array($0.utf8)).root["details"]?["n"]?.stringValue }
    #expect(numbers == (0..<1_000).map { "\($0)" })
  }

  @Test(
    "what finds no room is counted, told of once, and the count is in the chain when it can be written again")
  func full() async throws {
    let scratch = try Scratch()
    let logger = RecordingLogger()
    var folder = AuditFolder(state: scratch.path)
    folder.fileLimit = 100_000
    let log = try AuditLog(folder, logger: logger)
    // A folder in the file's place: nothing can be written.
    try FileManager.default.createDirectory(
      atPath: Self.current(folder), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for _ in 0..<5_000 { log.record(AuditEvent(.denied)) }
    await log.flush()
    #expect(logger.lines.filter { $0.level == .error }.count == 1)
    try FileManager.default.removeItem(atPath: Self.current(folder))
    await log.flush()
    let lines = try Self.lines(Self.current(folder))
    #expect(
      try #require(lines.last).contains(
        "\"event\":\"lost\",\"actor\":\"supervisor\",\"details\":{\"count\":\"904\"}"))
    // More than one file has room for, and each once.
    let verdict = try #require(try Self.verdict(scratch))
    #expect(verdict.firstBreak == nil && verdict.files > 5)
    #expect(verdict.first == 1 && verdict.lines == 4_097)
  }

  @Test("that was never written is none")
  func absent() throws {
    #expect(try Self.verdict(try Scratch()) == nil)
  }
}

extension AuditFolder {
  /// As the running log does it: file after file.
  fileprivate func appendAll(_ events: [(event: AuditEvent, time: Int64)]) throws {
    var rest = events[...]
    while !rest.isEmpty { rest = rest.dropFirst(try append(Array(rest))) }
  }
}
