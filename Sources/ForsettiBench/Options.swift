import CBench
import ForsettiBenchSet
import Glibc

/// What the command line says.
struct Options {
  enum Mode {
    case measure
    case list
    case help
    /// The peers' line for one of their measures.
    case kit(String)
    /// A supervisor that answers to lines on its input.
    case worker(Crew)
  }

  var mode = Mode.measure
  var measures: [String] = []
  var rounds = 5
  var seconds = 0.4
  var isJSON = false
  /// The folder of the C floors.
  var floors: String
  /// The folder of the kit of peers.
  var peers: String
  /// Our own path, for workers.
  let program: String

  static let usage = """
    usage: forsetti-bench [--measure NAME]... [--rounds N] [--seconds S] [--place WHERE] [--urgent]
                          [--cpus LIST] [--json]
           forsetti-bench --kit MEASURE | --list | --help

      --measure NAME  only this one; may be given again, a prefix will do
      --rounds N      rounds of each measure, every series in its turn in each (5)
      --seconds S     measuring time of one series in one round (0.4)
      --place WHERE   free: where the scheduler likes (the default); together: everything on CPU 0;
                      apart: supervisor and callers of floors on CPU 0, modules and echoes on CPU 1
      --urgent        before all other work of the machine: nice −20, of each session too (root)
      --cpus LIST     keep every process on these CPUs, as 0 or 0,1
      --json          one JSON document instead of the table
      --floors DIR    where `make bench-floors` put floors and first-byte (.build/bench)
      --kit MEASURE   the line that the kit's --extra expects; PEERS_SECONDS, PEERS_TMP and PEERS_CORRUPT count
      --peers DIR     the built kit of peers (Benchmarks/peers)

    Ends with 1 when a bar is missed or a measurement failed.
    """

  init(_ arguments: [String]) throws(BenchFailure) {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard length > 0 else { throw BenchFailure("/proc/self/exe: errno \(errno)") }
    program = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // .build/TRIPLE/release/forsetti-bench
    let build = Self.parent(Self.parent(Self.parent(program)))
    floors = build + "/bench"
    peers = Self.parent(build) + "/Benchmarks/peers"

    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--json": isJSON = true
      case "--urgent": try Placement.beUrgent()
      case "--list": mode = .list
      case "--help", "-h": mode = .help
      case "--worker":
        mode = .worker(try Crew(arguments: Array(rest)))
        rest = []
      default:
        guard argument.hasPrefix("--"), let value = rest.popFirst() else {
          throw BenchFailure("\(argument): no such option, or nothing after it\n\(Self.usage)")
        }
        try take(argument, value)
      }
    }
  }

  private mutating func take(_ option: String, _ value: String) throws(BenchFailure) {
    switch option {
    case "--measure": measures.append(value)
    case "--rounds":
      guard let count = Int(value), (1...1000).contains(count) else {
        throw BenchFailure("--rounds: 1 to 1000")
      }
      rounds = count
    case "--seconds":
      guard let time = Double(value), (0.05...30).contains(time) else {
        throw BenchFailure("--seconds: 0.05 to 30")
      }
      seconds = time
    case "--cpus": try Self.pin(value)
    case "--floors": floors = value
    case "--peers": peers = value
    case "--kit": mode = .kit(value)
    case "--place":
      guard let place = Placement(rawValue: value) else {
        throw BenchFailure("--place: free, together or apart")
      }
      try place.choose()
    default: throw BenchFailure("\(option): no such option\n\(Self.usage)")
    }
  }

  /// The measures asked for, in their own order.
  func chosen() throws(BenchFailure) -> [Measure] {
    for name in measures where !Measure.all.contains(where: { $0.name.hasPrefix(name) }) {
      throw BenchFailure("--measure \(name): there are \(Measure.all.map(\.name).joined(separator: ", "))")
    }
    guard !measures.isEmpty else { return Measure.all }
    return Measure.all.filter { measure in measures.contains { measure.name.hasPrefix($0) } }
  }

  /// Keeps this process, and all that it starts, on some CPUs.
  private static func pin(_ list: String) throws(BenchFailure) {
    var cpus: UInt64 = 0
    for part in list.split(separator: ",") {
      guard let cpu = Int(part), (0..<64).contains(cpu) else { throw BenchFailure("--cpus: \(part)") }
      cpus |= 1 << UInt64(cpu)
    }
    let result = cbench_pin(0, cpus)
    guard result == 0 else { throw BenchFailure("--cpus \(list): errno \(-result)") }
  }

  private static func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}
