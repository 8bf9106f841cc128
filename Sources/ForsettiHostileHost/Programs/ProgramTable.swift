import CLinux
import ForsettiModuleKit
import Glibc

/// One behaviour under test: an entry point of its own, run by a module's `start`.
struct Program: Sendable {
  /// The entry point.
  let name: String
  /// The services it declares; their capabilities are what its manifest asks for.
  let needs: [IORequirement]
  /// Runs it; the text is what the module publishes. What it throws fails the start.
  let run: @MainActor @Sendable (ForsettiContext) async throws -> String
  /// What its module does when it is asked to stop.
  let stop: @MainActor @Sendable () async -> Void

  init(
    _ name: String, stop: @escaping @MainActor @Sendable () async -> Void = {},
    _ run: @escaping @Sendable () async throws -> String
  ) {
    self.name = name
    needs = []
    self.run = { _ in try await run() }
    self.stop = stop
  }

  /// A program that speaks to the supervisor.
  init(
    _ name: String, needs: [IORequirement],
    calling run: @escaping @MainActor @Sendable (ForsettiContext) async throws -> String
  ) {
    self.name = name
    self.needs = needs
    self.run = run
    stop = {}
  }
}

/// A program noticed that something doesn't work as it does outside.
struct Mismatch: Error, CustomStringConvertible {
  let description: String
}

func expect(_ holds: Bool, _ what: String) throws {
  if !holds { throw Mismatch(description: what) }
}

/// A value that the optimiser can't see through, so that a crash happens at run time and not at build time.
@inline(never) func opaque<Value>(_ value: Value) -> Value { value }

/// One line on standard error, at once and without a buffer.
func say(_ line: String) {
  let text = line + "\n"
  text.withCString { _ = write(2, $0, strlen($0)) }
}

enum ProgramTable {
  static let all: [Program] =
    OrdinaryPrograms.all + FoundationPrograms.all + ConcurrencyPrograms.all + CrashingPrograms.all
    + ForbiddenPrograms.all + KernelPrograms.all + CallingPrograms.all + ProtocolPrograms.all
    + NeighbourlyPrograms.all + FloodPrograms.all + UnmannerlyPrograms.all
}
