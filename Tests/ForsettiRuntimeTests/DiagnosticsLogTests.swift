import CLinux
import ForsettiCore
import ForsettiTestKit
import Foundation
import Synchronization
import Testing

@testable import ForsettiRuntime

/// Keeps what it is given.
final class KeptRecords: LogSink {
  private let records = Mutex<[LogRecord]>([])

  var all: [LogRecord] { records.withLock { $0 } }

  func write(_ record: LogRecord) { records.withLock { $0.append(record) } }
}

@Suite("Log")
struct DiagnosticsLogTests {
  private func text(_ record: LogRecord) -> String {
    String(decoding: TextLogSink.line(record, isColoured: false), as: UTF8.self)
  }

  private func record(
    _ message: String, module: String? = nil, origin: LogRecord.Origin = .supervisor,
    metadata: [String: String] = [:]
  ) -> LogRecord {
    LogRecord(
      time: 1_764_466_119_123, level: .info, origin: origin, moduleID: module, message: message,
      metadata: metadata)
  }

  @Test("a line carries time, level, module, and metadata sorted by key")
  func line() {
    #expect(text(record("Up")) == "2025-11-30T01:28:39.123Z info    Up\n")
    #expect(
      text(record("Up", module: "a.b", metadata: ["z": "1", "a": "two words", "e": ""]))
        == "2025-11-30T01:28:39.123Z info    [module=a.b a=\"two words\" e=\"\" z=1] Up\n")
    #expect(text(record("Up", metadata: ["k": "v"])).hasSuffix(" [k=v] Up\n"))
  }

  @Test("a module's own words are told from the supervisor's words about it")
  func origin() {
    #expect(text(record("Activated", module: "a.b", origin: .module)).hasSuffix("[module=a.b] > Activated\n"))
    #expect(text(record("Activated", module: "a.b")).hasSuffix("[module=a.b] Activated\n"))
  }

  @Test("control characters, line ends and bidirectional overrides are escaped in message, key and value")
  func escaping() {
    let hostile = "a\nb\r\t\u{1B}[31m\u{202E}\u{9B}\u{2028}\\"
    let shown = "a\\nb\\r\\t\\u{1B}[31m\\u{202E}\\u{9B}\\u{2028}\\\\"
    #expect(text(record(hostile)).hasSuffix("info    \(shown)\n"))
    let line = text(record("x", module: "m] \n[module=other", metadata: ["k\n": "v\" module=other"]))
    #expect(
      line.hasSuffix("[module=\"m] \\n[module=other\" \"k\\n\"=\"v\\\" module=other\"] x\n"))
    #expect(
      text(record("x", module: "a.b", metadata: ["module": "c.d"])).contains("[module=a.b \"module\"=c.d]"))
  }

  @Test("long texts are cut at a scalar, and so are many pairs")
  func bounds() {
    let long = String(repeating: "é", count: 20_000)
    let line = text(record(long))
    #expect(line.utf8.count < LogText.messageLimit + 100)
    #expect(line.hasSuffix("é…\n"))
    let pairs = Dictionary(uniqueKeysWithValues: (0..<500).map { ("k\($0)", long) })
    #expect(text(record("x", metadata: pairs)).utf8.count < 64 * 1_100)
    #expect(JSONLogSink.line(record(long, metadata: pairs)).count < 100_000)
  }

  @Test("a JSON line is one object with the same facts")
  func json() throws {
    let line = JSONLogSink.line(record("a\n\u{202E}", module: "a.b", origin: .module, metadata: ["k": "v"]))
    #expect(
      String(decoding: line, as: UTF8.self)
        == #"{"time":"2025-11-30T01:28:39.123Z","level":"info","origin":"module","module":"a.b","#
        + #""message":"a\n\u202e","metadata":{"k":"v"}}"# + "\n")
  }

  @Test("records below the level are dropped, and their messages never made")
  func level() {
    let kept = KeptRecords()
    let logger = RuntimeLogger(level: .warning, sinks: [kept])
    var made = 0
    func message() -> String {
      made += 1
      return "x"
    }
    logger.info(message())
    logger.warning(message())
    logger.error(message())
    #expect(kept.all.map(\.level) == [.warning, .error])
    #expect(made == 2)
  }

  @Test(
    "a module that floods loses lines and the count is told; the supervisor's words and others' lines pass")
  func rateLimit() {
    let kept = KeptRecords()
    let now = Atomic<UInt64>(0)
    let logger = RuntimeLogger(
      sinks: [kept], rateLimit: LogRateLimiter(burst: 3, perSecond: 2),
      clock: .init(wall: { 7 }, monotonic: { now.load(ordering: .relaxed) }))
    for index in 0..<10 { logger.relay(.info, "\(index)", from: "a.b", metadata: [:]) }
    logger.relay(.info, "other", from: "c.d", metadata: [:])
    logger.info("about", moduleID: "a.b")
    #expect(kept.all.map(\.message) == ["0", "1", "2", "other", "about"])
    now.store(1_000_000_000, ordering: .relaxed)
    logger.relay(.info, "later", from: "a.b", metadata: [:])
    #expect(kept.all.suffix(2).map(\.message) == ["The module logs too much: lines were dropped", "later"])
    #expect(kept.all[5].metadata == ["dropped": "7"])
    #expect(kept.all[5].origin == .supervisor)
    for _ in 0..<5 { logger.relay(.info, "x", from: "a.b", metadata: [:]) }
    logger.forget(moduleID: "a.b")
    #expect(kept.all.last?.metadata == ["dropped": "4"])
    let before = kept.all.count
    logger.forget(moduleID: "a.b")
    #expect(kept.all.count == before)
  }

  @Test("a bucket fills at its rate, holds no more than a burst, and bears a clock that stands or goes back")
  func bucket() {
    var limiter = LogRateLimiter(burst: 2, perSecond: 1)
    #expect(limiter.admit("m", now: 5_000_000_000) == .pass(droppedBefore: 0))
    #expect(limiter.admit("m", now: 5_000_000_000) == .pass(droppedBefore: 0))
    #expect(limiter.admit("m", now: 5_999_999_999) == .drop)
    #expect(limiter.admit("m", now: 0) == .drop)
    #expect(limiter.admit("m", now: 6_000_000_000) == .pass(droppedBefore: 2))
    let end = UInt64.max - 10_000_000_000
    #expect(limiter.admit("m", now: end) == .pass(droppedBefore: 0))
    #expect(limiter.admit("m", now: end) == .pass(droppedBefore: 0))
    #expect(limiter.admit("m", now: end) == .drop)
  }
}

@Suite("Log output")
struct DiagnosticsLogOutputTests {
  private struct Ends {
    var read: Int32
    var write: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      (read, write) = (ends[0], ends[1])
    }

    /// All bytes there are; the read end must not block.
    func takeAll() -> [UInt8] {
      _ = fcntl(read, F_SETFL, O_NONBLOCK)
      var all: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while case let count = Foundation.read(read, &chunk, chunk.count), count > 0 { all += chunk[..<count] }
      return all
    }
  }

  private let line = Array("0123456789abcde\n".utf8)

  @Test("a stuck reader never blocks the writer: lines wait, then are dropped, and the count is told")
  func stuckReader() throws {
    let ends = try Ends()
    defer {
      close(ends.read)
      close(ends.write)
    }
    let output = LogOutput(descriptor: ends.write, capacity: 1_600)
    _ = TextLogSink(output, isColoured: false)
    let inPipe = 65_536 / line.count
    for _ in 0..<(inPipe + 100 + 7) { output.append(line) }
    #expect(output.waiting == 1_600)
    #expect(fcntl(ends.write, F_GETFL) & O_NONBLOCK == 0, "the shared descriptor is left as it was")
    var got = ends.takeAll()
    #expect(output.flush())
    got += ends.takeAll()
    let lines = got.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == inPipe + 100 + 1)
    #expect(
      String(decoding: lines.last ?? [], as: UTF8.self).hasSuffix(
        "warning [dropped=7] The log's reader was stuck: lines were dropped"))
  }

  @Test("what a stuck reader left goes out by itself once it reads again")
  func reactorCatchesUp() async throws {
    let ends = try Ends()
    defer {
      close(ends.read)
      close(ends.write)
    }
    let output = LogOutput(descriptor: ends.write, usesReactor: true)
    for _ in 0..<(65_536 / line.count + 3) { output.append(line) }
    #expect(output.waiting == 48)
    let arrived = Log<Int>()
    let reading = try await readingEnd(ends.read, into: arrived)
    await arrived.wait { $0.reduce(0, +) == 65_536 + 48 }
    await reading.cancel()
    #expect(output.waiting == 0)
  }

  @ReactorActor private func readingEnd(_ descriptor: Int32, into log: Log<Int>) throws -> EventSource {
    try Reactor.shared.watch(descriptor, for: .readable) { _ in
      var chunk = [UInt8](repeating: 0, count: 65_536)
      log.add(Foundation.read(descriptor, &chunk, chunk.count))
    }
  }

  @Test("lines of one turn of the reactor go out in one write at its end; urgent ones at once, in order")
  func batching() async throws {
    var ends: [Int32] = [0, 0]
    // Sequenced packets keep the borders of writes.
    try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let output = LogOutput(descriptor: ends[0], usesReactor: true)
    await inOneTurn(output)
    func next() -> String {
      var chunk = [UInt8](repeating: 0, count: 100)
      return String(decoding: chunk[..<max(0, recv(ends[1], &chunk, chunk.count, 0))], as: UTF8.self)
    }
    #expect(next() == "1\n2\n3\n")
    #expect(next() == "4\n5\n")
  }

  @ReactorActor private func inOneTurn(_ output: LogOutput) {
    output.append(Array("1\n".utf8))
    output.append(Array("2\n".utf8))
    output.append(Array("3\n".utf8), urgent: true)
    output.append(Array("4\n".utf8))
    output.append(Array("5\n".utf8))
  }

  @Test("a file is appended to where it stands, after what others wrote")
  func file() throws {
    let scratch = try Scratch()
    let file = open(scratch("log"), O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    #expect(write(file, "before\n", 7) == 7)
    let output = LogOutput(descriptor: file)
    output.append(line)
    #expect(write(file, "after\n", 6) == 6)
    #expect(
      try String(contentsOfFile: scratch("log"), encoding: .utf8) == "before\n0123456789abcde\nafter\n")
  }

  @Test("a reader that is gone costs nothing but the lines")
  func readerGone() throws {
    signal(SIGPIPE, SIG_IGN)
    let ends = try Ends()
    let output = LogOutput(descriptor: ends.write)
    close(ends.read)
    output.append(line)
    #expect(output.waiting == 0)
    output.drain(milliseconds: 10)
    close(ends.write)
  }
}
