import ForsettiCore
import Testing

@testable import ForsettiRuntime

@Suite("OpenMetrics text") struct OpenMetricsTests {
  private func snapshot(_ modules: [ModuleMetrics]) -> MetricsSnapshot {
    MetricsSnapshot(bootState: "ready", uptimeMilliseconds: 1_500, supervisor: nil, modules: modules)
  }

  @Test("has a line for each count, and ends with # EOF")
  func lines() {
    var module = ModuleMetrics(moduleID: "com.example.a", state: .active)
    module.counts.made.add(2, .denied)
    module.counts.latency.add(nanoseconds: 3_000)
    module.counts.restarts = [.violation: 2]
    module.openMade = 4
    module.uptimeSeconds = 0.25
    module.process = ProcessFigures(
      pid: 7, stat: "7 (a) b) S" + String(repeating: " 0", count: 10) + " 150 50 0", memory: "Rss: 8 kB\n",
      ticks: 100)
    let lines = snapshot([module]).openMetrics().joined().split(separator: "\n").map(String.init)
    for line in [
      "forsetti_boot_state{forsetti_boot_state=\"ready\"} 1",
      "forsetti_uptime_seconds 1.5",
      "forsetti_module_state{module=\"com.example.a\",forsetti_module_state=\"active\"} 1",
      "forsetti_module_state{module=\"com.example.a\",forsetti_module_state=\"failed\"} 0",
      "forsetti_module_restarts_total{module=\"com.example.a\",reason=\"violation\"} 2",
      "forsetti_calls_total{module=\"com.example.a\",service=\"storage\",result=\"denied\"} 1",
      "forsetti_open_calls{module=\"com.example.a\",direction=\"made\"} 4",
      "forsetti_call_duration_seconds_bucket{module=\"com.example.a\",le=\"2e-06\"} 0",
      "forsetti_call_duration_seconds_bucket{module=\"com.example.a\",le=\"4e-06\"} 1",
      "forsetti_call_duration_seconds_bucket{module=\"com.example.a\",le=\"+Inf\"} 1",
      "forsetti_call_duration_seconds_sum{module=\"com.example.a\"} 3e-06",
      "forsetti_module_uptime_seconds{module=\"com.example.a\"} 0.25",
      "forsetti_module_cpu_seconds_total{module=\"com.example.a\"} 2.0",
      "forsetti_module_resident_memory_bytes{module=\"com.example.a\"} 8192",
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(lines.last == "# EOF")
    #expect(lines.filter { $0 == "# TYPE forsetti_calls counter" }.count == 1)
  }

  @Test("shows what has no line of its own as a text that is still one line")
  func escapes() {
    #expect(OpenMetricsWriter.escaped("a\\b\"c\nd") == "a\\\\b\\\"c\\nd")
  }

  @Test("of a thousand modules comes in pieces that fit a frame, families whole")
  func pieces() {
    let modules = (0..<1_000).map { ModuleMetrics(moduleID: "com.example.m\($0)", state: .discovered) }
    let pieces = snapshot(modules).openMetrics()
    #expect(pieces.count > 1)
    #expect(pieces.allSatisfy { $0.utf8.count < 65_536 && $0.hasSuffix("\n") })
    let families = pieces.joined().split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
    #expect(Set(families).count == families.count)
  }

  @Test("what a process is called moves no field of its figures, and what is no figure gives none")
  func figures() {
    let stat = "7 (x 1 2 3) S 9 9 9 9) S" + String(repeating: " 0", count: 10) + " 30 12 0 0"
    let figures = ProcessFigures(pid: 7, stat: stat, memory: "Rss:  3 kB\nPss:  2 kB\n", ticks: 100)
    #expect(figures.cpuSeconds == 0.42)
    #expect(figures.residentBytes == 3_072 && figures.proportionalBytes == 2_048)
    for stat in ["", "7", "7 (x) S 1", ")"] {
      #expect(ProcessFigures(pid: 7, stat: stat, memory: nil, ticks: 100).cpuSeconds == nil)
    }
  }
}
