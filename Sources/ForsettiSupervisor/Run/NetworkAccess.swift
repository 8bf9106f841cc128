import ForsettiCore
import ForsettiRuntime

/// How requests leave the host, where the policy lets any: the network worker's keeper, which must be started before
/// this process gives up its rights.
struct NetworkAccess: Sendable {
  private let options: NetworkWorkerOptions
  private let keeper: NetworkKeeper

  /// Starts the keeper; `nil` where the policy lets nothing leave the host.
  /// - Parameter path: the program `forsetti-network-worker`.
  init?(policy: Policy, path: String, userID: UInt32) throws(CommandFailure) {
    guard policy.reachesNetwork else { return nil }
    // It runs as this process's own user until it has set itself up.
    do throws(TrustedFileError) { try TrustedFile.check(path) } catch {
      throw CommandFailure(BootFailure.host(error))
    }
    var options = NetworkWorkerOptions(path: path, userID: userID == 0 ? policy.userIDs.last : nil)
    options.mayLackLandlock = policy.sandboxDefaults.mayBeMissing.contains(.landlock)
    self.options = options
    do throws(SystemError) { keeper = try NetworkKeeper(options) } catch {
      throw CommandFailure(status: .osError, message: "the network worker has no keeper: \(error)")
    }
  }

  /// Whoever performs requests. To be asked for once.
  func transport(logger: any ForsettiLogger) -> any HTTPTransport {
    NetworkWorker(keeper, options, logger: logger)
  }
}
