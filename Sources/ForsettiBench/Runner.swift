import ForsettiBenchSet
import ForsettiCore
import ForsettiSandbox
import Glibc

/// Runs measures: in each round every series in its turn, so that all see the same machine.
struct Runner {
  var options: Options
  var log: (String) -> Void

  /// The medians of a series' rounds.
  struct Row {
    var series: Series
    var rounds: [Figure] = []
    var failure: String?

    var median: Double { rounds.map(\.median).median }
    var worst: Double { rounds.map(\.worst).median }
    /// The largest round over the smallest.
    var spread: Double {
      let medians = rounds.map(\.median)
      guard let low = medians.min(), let high = medians.max(), low > 0 else { return 1 }
      return high / low
    }
  }

  /// A measure with what was found.
  struct Outcome {
    var measure: Measure
    var rows: [Row]

    /// Medians by name of those that were measured.
    var medians: [String: Double] {
      Dictionary(
        rows.filter { $0.failure == nil && !$0.rounds.isEmpty }.map { ($0.series.name, $0.median) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  func run(_ measure: Measure) -> Outcome {
    var rows = measure.series.map { Row(series: $0) }
    var workers: [Crew: ChildProgram] = [:]
    for round in 0..<options.rounds {
      for index in rows.indices where rows[index].failure == nil {
        guard round == 0 || rows[index].series.isRepeated else { continue }
        do throws(BenchFailure) {
          rows[index].rounds.append(try figure(rows[index].series.source, &workers))
        } catch {
          rows[index].failure = error.description
        }
        log("\(measure.name): round \(round + 1), \(rows[index].series.name)")
      }
    }
    for worker in workers.values { worker.end() }
    return Outcome(measure: measure, rows: rows)
  }

  private func figure(_ source: Source, _ workers: inout [Crew: ChildProgram]) throws(BenchFailure) -> Figure
  {
    switch source {
    case .floor(let measure):
      return try floor(measure)
    case .filtered(let measure):
      let folder = try ScratchFolder()
      try folder.write(try Self.filter().bytes, to: "filter")
      return try floor(measure, environment: ["FLOORS_FILTER": "\(folder.path)/filter"])
    case .peer(let program, let peer, let measure):
      let folder = try ScratchFolder()
      let child = try ChildProgram(
        "\(options.peers)/bin/\(program)", [peer, measure],
        environment: ["PEERS_SECONDS": "\(options.seconds)", "PEERS_TMP": folder.path])
      defer { child.end() }
      return try Figure(line: try child.readLine())
    case .ours(let crew, let command):
      let worker: ChildProgram
      if let running = workers[crew] {
        worker = running
      } else {
        worker = try ChildProgram(options.program, ["--worker"] + crew.arguments)
        workers[crew] = worker
        guard try worker.readLine() == Worker.readyLine else { throw BenchFailure("the worker did not boot") }
      }
      return try Figure(line: try worker.ask("\(command) \(options.seconds)"))
    }
  }

  private static func filter() throws(BenchFailure) -> FilterProgram {
    do throws(SandboxCompileError) {
      return try FilterCompiler.compile(SandboxPlan.derive(grants: [], policy: SandboxPolicy()))
    } catch { throw BenchFailure("\(error)") }
  }

  private func floor(
    _ measure: String, environment: [String: String] = [:]
  ) throws(BenchFailure) -> Figure {
    let child = try ChildProgram(
      options.floors + "/floors", [measure, "\(options.seconds)"], environment: environment)
    defer { child.end() }
    return try Figure(line: try child.readLine())
  }
}
