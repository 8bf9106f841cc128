import ForsettiCore
import ForsettiTestKit
import Foundation
import Glibc
import Testing

@testable import ForsettiRuntime

/// A report of a test's own.
func crashReport(
  endedAt: Int64, random: UInt32 = 0, text: String = "", lines: Int = 1, moduleID: String = "com.example.a"
) -> CrashReport {
  CrashReport(
    id: CrashReportID(endedAt: endedAt, random: random),
    module: CrashedModule(manifest(moduleID), origin: .builtIn, manifestSHA256: "00"), grants: [],
    endedAt: endedAt, uptimeMilliseconds: 5,
    exit: ModuleExit(status: .signalled(11), reason: .crashed(signal: 11)),
    evidence: CrashEvidence(
      log: (0..<lines).map { _ in CrashLogLine(atMilliseconds: 0, level: nil, text: text) }),
    ends: [endedAt], next: .restart(afterMilliseconds: 1, attempt: 1), wayOut: nil)
}

@Suite("Crash reports in the state folder") struct CrashReportStoreTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func store(_ limits: CrashReportStore.Limits = .init()) -> CrashReportStore {
    CrashReportStore(stateFolder: scratch.path, limits: limits)
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  @Test("a report is read as it was saved, by nobody but the supervisor's user, and nothing else is left")
  func saved() throws {
    #expect(try store().ids() == [])
    let report = crashReport(endedAt: 1_000)
    try store().save(report)
    #expect(try store().read(report.id) == report)
    #expect(mode(store().path) == 0o700)
    #expect(mode(store().path + "/\(report.id).com.example.a.json") == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store().path) == ["\(report.id).com.example.a.json"]
    )
  }

  @Test("what a killed supervisor had half written gives way to the next report") func draft() throws {
    try store().save(crashReport(endedAt: 1))
    try scratch.write("crashes/.draft", String(repeating: "x", count: 100_000))
    let report = crashReport(endedAt: 2)
    try store().save(report)
    #expect(try store().read(report.id) == report)
    let names = try FileManager.default.contentsOfDirectory(atPath: store().path)
    #expect(names.count == 2 && !names.contains(".draft"))
  }

  @Test("a report of the same ID takes the place of the first: symbols come later") func replaced() throws {
    var report = crashReport(endedAt: 1_000)
    try store().save(report)
    report.evidence.backtrace = [CrashFrame(address: 1, function: "f")]
    try store().save(report)
    #expect(try store().all().map { try $0.report.get() } == [report])
  }

  @Test("the oldest reports go when there are too many, or too many bytes of them; the newest stays")
  func rotation()
    throws
  {
    let few = store(.init(count: 3))
    for time in 1...5 { try few.save(crashReport(endedAt: Int64(time))) }
    #expect(try few.all().map { try $0.report.get().endedAt } == [5, 4, 3])
    let small = store(.init(count: 10, bytes: 1))
    try small.save(crashReport(endedAt: 6))
    #expect(try small.all().map { try $0.report.get().endedAt } == [6])
  }

  @Test("bytes are counted as they are: of reports that grew, that somebody removed, that were there before")
  func bytes() throws {
    let reports = (1...5).map { crashReport(endedAt: Int64($0)) }
    try store().save(reports[0])
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: store().path).first)
    let size = try FileManager.default.attributesOfItem(atPath: store().path + "/" + name)[.size] as? Int
    let three = store(.init(bytes: try #require(size) * 7 / 2))
    for report in reports[1...2] { try three.save(report) }
    #expect(try three.ids().count == 3)
    unlink(three.path + "/\(reports[2].id).com.example.a.json")
    try three.save(reports[3])
    #expect(
      try three.ids() == [reports[3], reports[1], reports[0]].map(\.id), "the removed one takes no room")
    // In its own place, and so with room for itself alone and one more.
    var grown = reports[3]
    grown.evidence.log = [
      CrashLogLine(atMilliseconds: 0, level: nil, text: String(repeating: "x", count: try #require(size)))
    ]
    try three.save(grown)
    try three.save(reports[4])
    #expect(try three.ids() == [reports[4], reports[3]].map(\.id))
  }

  @Test("a module that crashes without end pushes out its own reports, not those of others") func fair()
    throws
  {
    let few = store(.init(count: 4))
    try few.save(crashReport(endedAt: 1, moduleID: "com.example.once"))
    try few.save(crashReport(endedAt: 2, moduleID: "com.example.twice"))
    try few.save(crashReport(endedAt: 3, moduleID: "com.example.twice"))
    for time in 4...40 { try few.save(crashReport(endedAt: Int64(time), moduleID: "com.example.endless")) }
    let kept = try few.all().map { try $0.report.get() }
    #expect(
      kept.map(\.module.moduleID) == [
        "com.example.endless", "com.example.endless", "com.example.twice", "com.example.once",
      ])
    #expect(kept.map(\.endedAt) == [40, 39, 3, 1])
  }

  @Test("a module's ID that is longer than a file's name may be is kept by its start") func longID() throws {
    let long = "com." + String(repeating: "x", count: 4_000)
    let report = crashReport(endedAt: 1, moduleID: long)
    try store().save(report)
    #expect(try store().read(report.id).module.moduleID == long)
  }

  @Test("the largest report that the bounds allow is within what is read") func largest() throws {
    // Each of these becomes six characters in JSON.
    let text = String(repeating: "\u{1}", count: CrashEvidence.logLineBytes)
    let report = crashReport(endedAt: 1, text: text, lines: CrashEvidence.logLines)
    try store().save(report)
    #expect(try store().read(report.id) == report)
  }

  @Test("files that are no reports are passed over or named, and stop nobody") func strange() throws {
    try store().save(crashReport(endedAt: 1))
    let damaged = CrashReportID(endedAt: 2, random: 0)
    try scratch.write("crashes/\(damaged).com.example.a.json", "{")
    try scratch.write("crashes/notes.txt")
    try scratch.write("crashes/.\(damaged).json", "a draft of a supervisor that was killed")
    symlink("/etc/passwd", scratch("crashes/\(CrashReportID(endedAt: 3, random: 0)).com.example.a.json"))
    let entries = try store().all()
    #expect(entries.map(\.id.text.first) == ["1", "1"])
    guard case .failure(.damaged) = entries[0].report, case .success = entries[1].report else {
      Issue.record("\(entries)")
      return
    }
    try store().save(crashReport(endedAt: 2))
    #expect(try store().read(damaged).endedAt == 2)
  }

  @Test("a folder that others may write to is not used") func untrusted() throws {
    try scratch.folder("crashes", mode: 0o777)
    #expect(throws: CrashReportError.self) { try store().save(crashReport(endedAt: 1)) }
    #expect(throws: CrashReportError.self) { try store().ids() }
  }

  @Test("an absent report is absent") func absent() throws {
    let id = CrashReportID(endedAt: 1, random: 0)
    #expect(throws: CrashReportError.absent(id)) { try store().read(id) }
    try store().save(crashReport(endedAt: 2))
    #expect(throws: CrashReportError.absent(id)) { try store().read(id) }
  }

  @Test("a file too large to be a report is not read") func tooLarge() throws {
    try store().save(crashReport(endedAt: 1))
    let id = CrashReportID(endedAt: 2, random: 0)
    try scratch.write(
      "crashes/\(id).com.example.a.json", String(repeating: " ", count: CrashReport.limits.bytes + 1))
    guard
      case .untrusted(let fault)? = #expect(
        throws: CrashReportError.self, performing: { try store().read(id) })
    else {
      Issue.record("read")
      return
    }
    #expect(fault.fault == .tooLarge(limit: CrashReport.limits.bytes))
  }
}
