import JamfSimulator

/// What the command line says.
struct ProgramOptions: Sendable, Equatable {
  var port: UInt16 = 0
  var server = JamfServer.Options()
  /// A file with the faults to come.
  var faults: String?
  var showsHelp = false

  static let usage = """
    usage: jamf-simulator [--port N] [--seed N] [--computers N] [--mobile-devices N] [--unboxed N]
                          [--token-seconds N] [--nodes N] [--replication-milliseconds N] [--faults FILE]

    A made-up Jamf Pro server on 127.0.0.1, for tests and demos. It says its address on its first line and ends
    on SIGTERM or SIGINT.

      --port N            where it listens; 0, the default, lets the kernel choose
      --seed N            the same seed makes the same devices (1)
      --computers N       computers in the inventory (3000)
      --mobile-devices N  mobile devices in the inventory (1500)
      --unboxed N         mobile devices in the first PreStage besides, which were never switched on (0)
      --token-seconds N   how long an access token holds (1200)
      --nodes N           nodes behind the address, which a cookie tells apart (1)
      --replication-milliseconds N
                          until all nodes know of a change that one has made (2000)
      --faults FILE       what goes wrong, and when (docs/jamf-simulator.md)
    """

  /// An option that is none, or its value.
  struct Fault: Error, Equatable {
    var text: String
  }

  init(_ arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" {
        showsHelp = true
        continue
      }
      guard let value = rest.popFirst() else {
        throw Fault(text: "\(option): no such option, or nothing after it")
      }
      try take(option, value)
    }
  }

  private mutating func take(_ option: String, _ value: String) throws(Fault) {
    switch option {
    case "--port": port = try Self.number(option, value, 0...UInt16.max)
    case "--seed": server.seed = try Self.number(option, value, 0...UInt64.max)
    case "--computers": server.computers = try Self.number(option, value, 0...100_000)
    case "--mobile-devices": server.mobileDevices = try Self.number(option, value, 0...100_000)
    case "--unboxed": server.unboxedMobileDevices = try Self.number(option, value, 0...100_000)
    case "--nodes": server.nodes = try Self.number(option, value, 1...8)
    case "--replication-milliseconds":
      server.replicationMilliseconds = try Self.number(option, value, 0...600_000)
    case "--token-seconds": server.tokenLifetime = try Self.number(option, value, 1...86_400)
    case "--faults": faults = value
    default: throw Fault(text: "\(option): no such option")
    }
  }

  private static func number<Number: FixedWidthInteger & LosslessStringConvertible>(
    _ option: String, _ text: String, _ range: ClosedRange<Number>
  ) throws(Fault) -> Number {
    guard let number = Number(text), range.contains(number) else {
      throw Fault(text: "\(option): \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
