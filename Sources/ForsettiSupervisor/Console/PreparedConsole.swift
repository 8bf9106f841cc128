import ForsettiCore
import ForsettiRuntime
import Glibc

/// The web console's socket, bound while the process may still bind one, and the way in.
final class PreparedConsole: Sendable {
  let listener: HostListener
  let access: ConsoleAccess

  init(_ address: ListenAddress) throws(CommandFailure) {
    do throws(SystemError) { listener = try HostListener(address) } catch {
      throw CommandFailure(
        status: error.errno == EADDRINUSE ? .unavailable : .cannotCreate,
        message: "the web console cannot \(error); name another place in the policy, or with --listen")
    }
    access = ConsoleAccess(address: listener.address)
  }

  /// The console's process, not started yet.
  /// - Parameter connect: makes its connections to the control socket.
  @ReactorActor
  func keeper(
    in surroundings: Surroundings, logger: any ForsettiLogger, connect: @escaping ConsoleKeeper.Connect
  ) throws(CommandFailure) -> ConsoleKeeper {
    do throws(SystemError) {
      return try ConsoleKeeper(
        program: surroundings.installation.console, listener: listener, token: access.token, logger: logger,
        connect: connect)
    } catch { throw CommandFailure(status: .osError, message: "the web console: \(error)") }
  }
}
