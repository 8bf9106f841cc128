import ForsettiBenchSet
import ForsettiCore
import ForsettiRuntime
import Glibc

/// One measure of the kit of peers (Benchmarks/peers), as the line that its `--extra` expects. There the host calls a
/// plugin; here a module calls the host, which is the way of nearly every call.
@ReactorActor
enum Kit {
  private struct Entry {
    var unit: String
    var crew: Crew
    var command: String
    /// What is run instead where answers are to be wrong on purpose.
    var corrupt: String?
  }

  private static let entries: [String: Entry] = [
    "rtt_64": Entry(unit: "us", crew: Crew(spins: true), command: "call"),
    "pipelined_64": Entry(unit: "calls/s", crew: Crew(spins: true), command: "pipelined"),
    "bulk_64k": Entry(unit: "GB/s", crew: Crew(spins: true), command: "bulk_64k"),
    "bulk_1m": Entry(unit: "GB/s", crew: Crew(spins: true), command: "bulk_1m"),
    "fanout": Entry(
      unit: "events/s", crew: Crew(spins: true, subscribers: 10), command: "events", corrupt: "spoil"),
    "spawn": Entry(unit: "ms", crew: Crew(spins: true, idle: 1), command: "spawn"),
    "crash_restart": Entry(unit: "ms", crew: Crew(spins: true, idle: 1), command: "crash_restart"),
    "idle_pss": Entry(unit: "KiB", crew: Crew(spins: true, idle: 10), command: "pss"),
  ]

  /// Measures and prints; the program's status.
  static func run(_ measure: String) async -> Int32 {
    var members: [(String, JSONValue)] = [("peer", .string("forsetti")), ("measure", .string(measure))]
    var status: Int32 = 0
    do throws(BenchFailure) {
      guard let entry = entries[measure] else {
        throw BenchFailure("there are \(entries.keys.sorted().joined(separator: ", "))")
      }
      let figure = try await figure(entry)
      members += [("unit", .string(entry.unit))] + figure.members + [("ok", .bool(true))]
    } catch {
      members += [("ok", .bool(false)), ("why", .string(error.description))]
      status = 1
    }
    say(JSONWriter.text(.object(members)), to: 1)
    return status
  }

  private static func figure(_ entry: Entry) async throws(BenchFailure) -> Figure {
    let seconds = getenv("PEERS_SECONDS").flatMap { Double(String(cString: $0)) } ?? 0.7
    let isCorrupt = getenv("PEERS_CORRUPT") != nil
    let worker = try await Worker(entry.crew)
    let command = isCorrupt ? entry.corrupt ?? entry.command : entry.command
    let result: Result<Figure, BenchFailure>
    do throws(BenchFailure) { result = .success(try await worker.answer("\(command) \(seconds)")) } catch {
      result = .failure(error)
    }
    await worker.end()
    return try result.get()
  }
}
