import ForsettiControlClient
import ForsettiRuntime

/// Where a command looks for the supervisor that runs.
struct ControlPlace: Equatable {
  var state: String?
  var runtimeDirectory: String?

  /// Runtime folders, the likeliest first. Where none was named, the system's own supervisor is meant if the user has
  /// none.
  func folders(in surroundings: Surroundings) throws(CommandFailure) -> [String] {
    let own = try surroundings.statePlaces(state: state, runtime: runtimeDirectory).runtime
    guard state == nil, runtimeDirectory == nil, own != Self.system else { return [own] }
    return [own, Self.system]
  }

  private static let system = "/run/forsetti"

  /// Connects.
  func connect(in surroundings: Surroundings) throws(CommandFailure) -> ControlClient {
    let connected = try connectNamed(in: surroundings)
    return connected.client
  }

  /// Connects, and says by which runtime folder.
  func connectNamed(
    in surroundings: Surroundings
  ) throws(CommandFailure) -> ConnectedControl {
    let folders = try folders(in: surroundings)
    for folder in folders {
      do throws(ControlClientError) {
        return ConnectedControl(client: ControlClient(try ControlChannel(folder: folder)), folder: folder)
      } catch {
        if error != .absent { throw CommandFailure(error) }
      }
    }
    throw CommandFailure(
      status: .unavailable,
      message:
        "no supervisor runs with its runtime folder at \(folders.joined(separator: " or ")); start one with "
        + "forsetti-supervisor run, or name its folder with --runtime-dir")
  }
}

/// A client and the runtime folder that it reached.
struct ConnectedControl: ~Copyable {
  var client: ControlClient
  let folder: String
}
