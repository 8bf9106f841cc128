import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// `top`: its rates and pictures as values, then the real program on a pseudo-terminal.
@Suite(.timeLimit(.minutes(2))) struct TopTests {
  private static func answer(
    _ milliseconds: Int, calls: Int = 0, latency: [Int] = [], cpu: Double = 0
  ) -> FiguresAnswer {
    var module = ModuleFiguresItem()
    module.moduleID = "com.example.a"
    module.state = "active"
    module.calls = calls
    module.latency = latency
    module.cpuSeconds = cpu
    var quiet = ModuleFiguresItem()
    quiet.moduleID = "com.example.b"
    quiet.state = "failed"
    var answer = FiguresAnswer()
    answer.supervisor.state = "ready"
    answer.supervisor.uptimeMilliseconds = milliseconds
    answer.modules = [quiet, module]
    return answer
  }

  @Test("rates are of what happened between two looks, the busiest module first")
  func rates() {
    let rates = TopRates(
      from: Self.answer(1_000, calls: 10, latency: [1, 5, 0], cpu: 1),
      to: Self.answer(3_000, calls: 210, latency: [1, 105, 1], cpu: 1.5))
    #expect(rates.modules.map(\.moduleID) == ["com.example.a", "com.example.b"])
    #expect(rates.modules[0].calls == 100 && rates.modules[0].processor == 0.25)
    // 101 calls: the 51st and the 100th took up to 2 µs.
    #expect(rates.modules[0].median == 2 && rates.modules[0].p99 == 2)
    #expect(rates.modules[1].calls == 0 && rates.modules[1].median == nil)
    let first = TopRates(from: nil, to: Self.answer(3_000, calls: 210))
    #expect(first.modules[0].calls == 0 && first.modules[0].processor == nil)
    // A supervisor that was started anew has counted less.
    #expect(TopRates(from: Self.answer(1_000, calls: 10), to: Self.answer(2_000)).modules[0].calls == 0)
  }

  @Test(
    "a quantile is the bound of its bucket",
    arguments: [([], nil), ([0, 0], nil), ([1], 1), ([50, 0, 50], 1), ([1, 0, 99], 4)] as [([Int], Int?)])
  func quantiles(buckets: [Int], median: Int?) { #expect(TopRates.quantile(0.5, of: buckets) == median) }

  @Test(
    "numbers are short",
    arguments: [(0, "0"), (0.25, "0.3"), (4.2, "4.2"), (917, "917"), (12_345, "12.3k"), (4_100_000, "4.1M")])
  func numbers(value: Double, text: String) { #expect(TopScreen.short(value) == text) }

  @Test("a picture fits any terminal, and says how many modules it leaves out")
  func sizes() {
    var answer = Self.answer(1_000)
    answer.modules = (0..<100).map { number in
      var module = ModuleFiguresItem()
      module.moduleID = "com.example.module-\(number)"
      return module
    }
    let rates = TopRates(from: nil, to: answer)
    for (columns, rows) in [(200, 40), (80, 24), (20, 5), (1, 1), (0, 0)] {
      let lines = TopScreen(rates: rates, size: .init(columns: columns, rows: rows)).lines
      #expect(lines.count <= rows && lines.allSatisfy { $0.count <= columns })
    }
    let lines = TopScreen(rates: rates, size: .init(columns: 80, rows: 24)).lines
    #expect(lines.count == 24 && lines.last == "… and 80 modules more")
    #expect(TopScreen(rates: rates, size: .init(columns: 80, rows: 103)).lines.count == 103)
  }

  @Test("where the table is too wide, IDs lose of their beginning, which they share")
  func narrow() {
    var answer = Self.answer(1_000)
    for index in answer.modules.indices {
      answer.modules[index].moduleID = "com.example.a-very-long-name.of-a-maker.module-\(index)"
    }
    let rates = TopRates(from: nil, to: answer)
    let wide = TopScreen(rates: rates, size: .init(columns: 200, rows: 9)).lines
    #expect(wide[3].hasPrefix("com.example.a-very-long-name.of-a-maker.module-0  failed"))
    let narrow = TopScreen(rates: rates, size: .init(columns: 100, rows: 9)).lines
    #expect(narrow[3].hasPrefix("…") && narrow[3].contains("module-0  failed"), "\(narrow)")
    #expect(narrow[2].hasSuffix("RESTARTS"), "\(narrow)")
    let tiny = TopScreen(rates: rates, size: .init(columns: 30, rows: 9)).lines
    #expect(tiny[3].hasPrefix("…of-a-maker.module-0  failed"), "\(tiny)")
  }

  @Test("--json prints a line of rates each second, without a terminal, until the supervisor ends")
  func lines() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    let top = try SupervisorProcess(["top", "--json", "--state", scratch("state")])
    let output = await top.output(containing: "\n")
    struct Line: Decodable {
      struct Module: Decodable {
        var moduleID: String
        var calls: Double
      }
      var state: String
      var modules: [Module]
    }
    let line = try JSONDecoder().decode(Line.self, from: Data(output.prefix { $0 != "\n" }.utf8))
    #expect(line.state == "ready" && line.modules.map(\.moduleID).sorted() == ReportedBoot.order.sorted())
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
    // Nothing more comes of it.
    #expect(await top.end().status == 0)
  }

  @Test("without a terminal it says so, and what to use instead")
  func noTerminal() async throws {
    let end = try await SupervisorProcess.run(["top", "--state", "/nonexistent"])
    #expect(end.status == ForsettiSupervisor.ExitStatus.usage.rawValue)
    #expect(end.errors.contains("needs a terminal"))
  }

  @Test(
    "it shows the modules, follows the size of the terminal, quits by q, Ctrl-C and SIGTERM, and leaves it as it was"
  )
  func live() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    for end in ["q", "\u{3}", nil] {
      let terminal = try PseudoTerminal(columns: 120, rows: 30)
      let before = terminal.settings
      let top = try terminal.run(Product.supervisor, ["top", "--state", scratch("state")])
      await terminal.output { $0.contains("CALLS/S") && $0.contains("service.scanner") }
      #expect(terminal.settings.c_lflag != before.c_lflag)
      terminal.resize(columns: 20, rows: 6)
      // The picture of the new size says how many it leaves out.
      await terminal.output { $0.contains("… and ") }
      if let end { terminal.write(end) } else { kill(top.processID, SIGTERM) }
      await terminal.output { $0.hasSuffix("\u{1B}[?25h\u{1B}[?1049l") }
      let ended = await top.end()
      #expect(ended.status == 0 && !ended.isSignal)
      #expect(terminal.settings.c_lflag == before.c_lflag)
    }
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  @Test("it quits while the supervisor does not answer, and ends with it")
  func hung() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    supervisor.send(SIGSTOP)
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let top = try terminal.run(Product.supervisor, ["top", "--state", scratch("state")])
    await terminal.output { $0.contains("\u{1B}[?25l") }
    terminal.write("xq")
    let ended = await top.end()
    #expect(ended.status == 0 && !ended.isSignal)
    supervisor.send(SIGCONT)
    // It says so when the supervisor ends, once the terminal is as it was.
    let watcher = try terminal.run(Product.supervisor, ["top", "--state", scratch("state")])
    await terminal.output { $0.contains("CALLS/S") }
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
    await terminal.output { $0.contains("\u{1B}[?1049lforsetti-supervisor: the supervisor ended") }
    #expect(await watcher.end().status == ForsettiSupervisor.ExitStatus.unavailable.rawValue)
  }
}
