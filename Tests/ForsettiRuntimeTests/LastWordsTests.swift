import CLinux
import ForsettiCore
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

@Suite("Last words in the stream of a module's text")
struct LastWordsScannerTests {
  private static func record(signal: UInt32 = 11, count: UInt32 = 2) -> [UInt8] {
    var record = cl_last_words()
    record.mark = cl_last_words_mark
    record.signal = signal
    record.code = 1
    record.address = 0x10
    record.base = 0x40_0000
    record.count = count
    record.frames.0 = 0x40_1000
    record.frames.1 = 0x40_2000
    return withUnsafeBytes(of: &record) { Array($0) }
  }

  private static func scan(_ bytes: [UInt8], by size: Int) -> (LastWords?, String) {
    var scanner = LastWordsScanner()
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
        scanner.feed($0) { text.append(contentsOf: $0) }
      }
    }
    scanner.finish { text.append(contentsOf: $0) }
    return (scanner.newest, String(decoding: text, as: UTF8.self))
  }

  @Test(
    "a record is found and its bytes taken out of the text, however both are cut",
    arguments: [1, 7, 16, 4096])
  func found(size: Int) {
    let (words, text) = Self.scan(
      Array("before, no line end".utf8) + Self.record() + Array("after\n".utf8), by: size)
    #expect(
      words
        == LastWords(signal: 11, code: 1, address: 0x10, base: 0x40_0000, frames: [0x40_1000, 0x40_2000]))
    #expect(text == "before, no line endafter\n")
  }

  @Test("the newest of several records counts: a forged one comes before the real one")
  func newest() {
    let (words, _) = Self.scan(Self.record(signal: 4) + Self.record(signal: 6), by: 100)
    #expect(words?.signal == 6)
  }

  @Test(
    "a number beyond its bounds makes it no record, and traps nothing",
    arguments: [record(signal: 0), record(signal: 65), record(count: 63), record(count: .max)])
  func unsound(bytes: [UInt8]) {
    #expect(Self.scan(bytes, by: 64) == (nil, ""))
  }

  @Test(
    "whatever becomes of a record, it is one within its bounds or none, however it is cut", arguments: 1...4)
  func mutations(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let seed = Array("a\n".utf8) + Self.record() + Array("b".utf8) + Self.record(signal: 6, count: 62)
    var found = 0
    for _ in 0..<2_000 {
      let bytes = random.mutation(of: seed, tokens: ["\u{0}\u{0}\u{0}\u{0}", "\u{7f}", "\n"])
      let (whole, text) = Self.scan(bytes, by: 100_000)
      #expect(Self.scan(bytes, by: Int.random(in: 1...40, using: &random)) == (whole, text))
      guard let whole else { continue }
      found += 1
      #expect((1...64).contains(whole.signal) && whole.frames.count <= LastWords.maximumFrames)
    }
    #expect(found > 100)
  }

  @Test(
    "what only begins like a mark stays text; half a record at the end is dropped", arguments: [1, 5, 64])
  func almost(size: Int) {
    let begun = Array(Self.record().prefix(9))
    let (none, text) = Self.scan(begun + begun + Array("x\n".utf8) + [0xff], by: size)
    #expect(none == nil)
    #expect(text == String(decoding: begun + begun + Array("x\n".utf8) + [0xff], as: UTF8.self))
    #expect(Self.scan(Array("x".utf8) + Self.record().dropLast(), by: size) == (nil, "x"))
  }
}

@ReactorActor @Suite("Last words of real programs", .timeLimit(.minutes(2)), .serialized)
struct LastWordsTests {
  @Test(
    "a program that crashes leaves its signal and its frames", arguments: ProgramsTests.hosts,
    ProgramCase.crashing)
  func crashing(host: String, program: ProgramCase) async throws {
    let subject = try Subject(host: host) { $0.entryPoint = program.name }
    _ = await subject.startError()
    let exit = try #require(subject.exits.items.first)
    guard case .signalled(let signal) = exit.status else {
      #expect(subject.process.lastWords == nil)
      return
    }
    // The processor-time limit and the like have no handler: those signals are none of the crash's own.
    guard [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT].contains(signal) else { return }
    let words = try #require(subject.process.lastWords, "\(program.name) ended by \(exit) without a word")
    #expect(words.signal == signal)
    #expect(words.base != 0)
    // The instruction, whoever called it, and the host's own main below.
    #expect(words.frames.count >= 3)
    if program.name == "crash_null_write" { #expect(words.address == 8) }
    if program.name == "crash_stack_overflow" { #expect(words.frames.count == LastWords.maximumFrames) }
    // Nothing of the record reaches people as text.
    #expect(
      !subject.output.items.contains {
        if case .line(let text, _) = $0 { text.contains("forsetti end") } else { false }
      })
  }

  @Test(
    "a fault signal that somebody sends ends the process by that signal, seen from outside",
    arguments: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT])
  func sent(signal: Int32) async throws {
    let host = try #require(ProgramsTests.hosts.first)
    let subject = try Subject(host: host) { $0.entryPoint = "sleep_long" }
    _ = try await subject.process.launch()
    async let start: Void? = try? subject.process.start(grants: [])
    await subject.output.wait { $0.contains(.line("asleep", droppedBytes: 0)) }
    let pid = try #require(subject.process.process?.pid)
    #expect(kill(pid, signal) == 0)
    let exit = await subject.process.exit()
    _ = await start
    #expect(exit.status == .signalled(signal))
    let words = try #require(subject.process.lastWords)
    #expect(words.signal == signal && words.code <= 0 && words.address == 0)
  }

  @Test("a process that somebody kills leaves none")
  func killed() async throws {
    let host = try #require(ProgramsTests.hosts.first)
    let subject = try Subject(host: host) { $0.entryPoint = "sleep_long" }
    _ = try await subject.process.launch()
    async let start: Void? = try? subject.process.start(grants: [])
    await subject.output.wait { $0.contains(.line("asleep", droppedBytes: 0)) }
    subject.process.kill()
    #expect(await subject.process.exit().status == .signalled(SIGKILL))
    _ = await start
    #expect(subject.process.lastWords == nil)
  }
}
