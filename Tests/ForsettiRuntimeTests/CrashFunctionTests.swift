import ForsettiBlocking
import ForsettiCore
import ForsettiTestKit
import Glibc
import Synchronization
import Testing

@testable import ForsettiRuntime

/// Reports on real processes of both builds, from their end to the file.
@ReactorActor @Suite("The functions that a crash report names", .timeLimit(.minutes(2)), .serialized)
struct CrashFunctionTests {
  /// A program, how it ends, and the function that one of its innermost frames is in.
  struct Case: Sendable, CustomTestStringConvertible {
    var program: String
    var reason: String
    var function: String
    /// How many frames may lie further in: the standard library's checks of a debug build.
    var depth = 0

    var testDescription: String { program }
  }

  nonisolated static let cases = [
    Case(program: "crash_index", reason: "crashed SIGILL", function: "CrashingPrograms.readBehind", depth: 4),
    Case(program: "crash_null_write", reason: "crashed SIGSEGV", function: "CrashingPrograms.writeNowhere"),
    Case(program: "crash_stack_overflow", reason: "crashed SIGSEGV", function: "endless #1", depth: 1),
    Case(program: "crash_abort", reason: "aborted", function: "pthread_kill"),
    Case(
      program: "crash_memory_exhausted", reason: "outOfMemory", function: "CrashingPrograms.all", depth: 12),
    Case(program: "try_socket", reason: "violation socket", function: "ch_call"),
  ]

  @Test(
    "of a crash, an abort, refused memory and a violation, in both builds", arguments: ProgramsTests.hosts,
    cases)
  func named(host: String, expected: Case) async throws {
    let subject = try await end(host, expected.program)
    let exit = await subject.process.exit()
    #expect(Self.name(exit.reason) == expected.reason)
    let report = try await report(subject, exit)
    let innermost = report.evidence.backtrace.prefix(expected.depth + 1)
    #expect(
      innermost.contains { $0.function?.contains(expected.function) == true && $0.functionOffset != nil },
      "\(report.evidence.backtrace.prefix(14).map { $0.function ?? "-" })")
    #expect(report.evidence.missing == [])
    // A release trap says nothing: then the first frame's function is what is known.
    if host.contains("/release/"), expected.program == "crash_index" {
      #expect(report.evidence.message == nil)
      #expect(report.evidence.backtrace.first?.function?.contains(expected.function) == true)
    }
  }

  @Test("none where there are no frames: it ended by itself, or was killed", arguments: ProgramsTests.hosts)
  func none(host: String) async throws {
    let subject = try await end(host, "exit_three")
    let exit = await subject.process.exit()
    #expect(exit.reason == .exitedEarly(code: 3))
    #expect(try await report(subject, exit).evidence.backtrace == [])
  }

  @Test("none, and the reason, where there is no worker") func noWorker() async throws {
    let host = try #require(ProgramsTests.hosts.first)
    let subject = try await end(host, "crash_null_write")
    let report = try await report(
      subject, await subject.process.exit(), worker: "/nowhere/forsetti-symbolizer")
    #expect(report.evidence.backtrace.count >= 3)
    #expect(report.evidence.backtrace.allSatisfy { $0.function == nil && $0.offset != nil })
    #expect(report.evidence.missing.contains { $0.contains("/nowhere/forsetti-symbolizer") })
  }

  @Test("a report is on disk, and told of, before its functions are asked for") func savedFirst() async throws
  {
    let subject = try await end(try #require(ProgramsTests.hosts.first), "crash_null_write")
    let exit = await subject.process.exit()
    let scratch = try Scratch()
    let store = CrashReportStore(stateFolder: scratch.path)
    let told = Mutex<[CrashReport]>([])
    let named = try await report(
      subject.process, exit, in: store,
      logger: CallingLogger { told.withLock { $0 += (try? store.all().map { try $0.report.get() }) ?? [] } })
    let first = told.withLock { $0 }
    #expect(first.count == 1)
    #expect(first.first?.evidence.backtrace.allSatisfy { $0.function == nil } == true)
    #expect(first.first?.id == named.id)
    #expect(named.evidence.backtrace.first?.function?.contains("writeNowhere") == true)
  }

  @Test("known at once where it crashes again: the report is written with them, and no worker is asked")
  func again() async throws {
    let scratch = try Scratch()
    let (host, worker) = (try #require(ProgramsTests.hosts.first), scratch("symbolizer"))
    try run("cp", ["\(Shipped.buildFolder)/forsetti-symbolizer", worker])
    var hosts = HostExecutable.Store([host])
    let held = hosts.current(host)
    let store = CrashReportStore(stateFolder: scratch.path)
    let told = Mutex<[CrashReport]>([])
    let reporter = try reporter(
      store, worker: worker,
      logger: CallingLogger { told.withLock { $0 += (try? store.all().map { try $0.report.get() }) ?? [] } })
    for time in 1...2 {
      let subject = try await end(host, "crash_null_write", held: held)
      let exit = await subject.process.exit()
      let evidence = try #require(subject.process.evidence)
      reporter.keep(Self.report(exit, evidence, endedAt: Int64(time)), of: subject.process.program)
      await reporter.finish()
      unlink(worker)
    }
    let reports = try store.all().map { try $0.report.get() }
    #expect(reports.map(\.endedAt) == [2, 1])
    for report in reports {
      #expect(report.evidence.backtrace.first?.function?.contains("writeNowhere") == true)
      #expect(report.evidence.missing == [])
    }
    #expect(told.withLock { $0.first { $0.endedAt == 2 } } == reports.first, "as it is from the start")
  }

  @Test("as they were in the host that ran, whatever lies at its path by now") func replaced() async throws {
    let scratch = try Scratch()
    let host = scratch("host")
    try run("cp", [try #require(ProgramsTests.hosts.first), host])
    // The module's own user executes it.
    chmod(scratch.path, 0o755)
    let subject = try await end(host, "crash_null_write")
    let exit = await subject.process.exit()
    unlink(host)
    try scratch.write("host", "another")
    let report = try await report(subject, exit)
    #expect(report.evidence.backtrace.first?.function?.contains("writeNowhere") == true)
  }

  @Test("of a bundle too, which is a stranger's file")
  func bundle() async throws {
    let program = try CompiledProgram(
      main: "extern int cl_install_last_words(int); cl_install_last_words(2); "
        + "*(volatile char *)8 = 1; return 3;", with: "Sources/CLinux/cllastwords.c")
    let process = try program.process()
    await #expect(throws: ModuleManagerError.self) { try await process.launch() }
    let report = try await report(process, await process.exit())
    #expect(report.evidence.backtrace.first?.function == "main")
  }

  // MARK: Support

  /// A process that ran a program to its end, with its host held open as the launcher does.
  private func end(
    _ host: String, _ program: String, held: HostExecutable? = nil
  ) async throws -> Subject {
    var hosts = HostExecutable.Store([host])
    let subject = try Subject(host: host) {
      $0.entryPoint = program
      $0.host = held ?? hosts.current(host)
    }
    _ = await subject.startError()
    return subject
  }

  private func report(
    _ subject: Subject, _ exit: ModuleExit, worker: String? = nil
  ) async throws -> CrashReport {
    try await report(subject.process, exit, worker: worker)
  }

  /// The report as it is read back from the state folder.
  private func report(
    _ process: ModuleProcess, _ exit: ModuleExit, worker: String? = nil
  ) async throws -> CrashReport {
    let scratch = try Scratch()
    return try await report(
      process, exit, in: CrashReportStore(stateFolder: scratch.path), worker: worker, logger: SilentLogger())
  }

  private func report(
    _ process: ModuleProcess, _ exit: ModuleExit, in store: CrashReportStore, worker: String? = nil,
    logger: any ForsettiLogger
  ) async throws -> CrashReport {
    let reporter = try reporter(store, worker: worker, logger: logger)
    let evidence = try #require(process.evidence)
    reporter.keep(Self.report(exit, evidence), of: process.program)
    await reporter.finish()
    return try #require(try store.all().first).report.get()
  }

  private func reporter(
    _ store: CrashReportStore, worker: String?, logger: any ForsettiLogger
  ) throws -> CrashReporter {
    CrashReporter(
      store, on: BlockingWorker(on: try BlockingExecutor(name: "files")),
      symbols: SymbolResolver(
        path: worker ?? "\(Shipped.buildFolder)/forsetti-symbolizer", userID: moduleUser),
      logger: logger)
  }

  private static func name(_ reason: ExitReason) -> String {
    switch reason {
    case .crashed(let signal): "crashed \(SignalName.text(signal))"
    case .violation(let violation): "violation \(violation.syscall)"
    default: "\(reason)"
    }
  }

  private static func report(
    _ exit: ModuleExit, _ evidence: CrashEvidence, endedAt: Int64 = 7
  ) -> CrashReport {
    CrashReport(
      id: CrashReportID(endedAt: endedAt, random: 7),
      module: CrashedModule(manifest("com.example.a"), origin: .builtIn, manifestSHA256: "00"),
      grants: [], endedAt: endedAt, uptimeMilliseconds: 0, exit: exit, evidence: evidence, ends: [],
      next: .restart(afterMilliseconds: 1, attempt: 1), wayOut: nil)
  }
}

/// Calls for each line of the log.
private struct CallingLogger: ForsettiLogger {
  let heard: @Sendable () -> Void

  func isEnabled(_ level: LogLevel) -> Bool { true }
  func log(_ level: LogLevel, _ message: String, moduleID: String?, metadata: [String: String]) { heard() }
  func relay(_ level: LogLevel, _ message: String, from moduleID: String, metadata: [String: String]) {}
}
