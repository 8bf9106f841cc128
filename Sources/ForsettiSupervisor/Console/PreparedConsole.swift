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

  /// Takes over the socket that the service manager has made.
  /// - Parameters:
  ///   - number: its descriptor.
  ///   - wanted: where the policy has the console listen: there the socket must, on any port where that is 0.
  init(inheriting number: Int32, wanted: ListenAddress?) throws(CommandFailure) {
    do throws(SystemError) { listener = try HostListener(inheriting: number) } catch {
      throw Self.mismatch("the console's socket unit hands over what listens to no stream on this host alone")
    }
    let address = listener.address
    guard let wanted else {
      throw Self.mismatch("the console's socket unit listens on \(address), and the policy has no console")
    }
    guard address == wanted || wanted == .loopback(port: 0) && !address.isUnix else {
      throw Self.mismatch("the console's socket unit listens on \(address), and the policy says \(wanted)")
    }
    access = ConsoleAccess(address: address)
  }

  private static func mismatch(_ what: String) -> CommandFailure {
    CommandFailure(
      status: .configuration,
      message: "\(what); let ListenStream= and the policy's console.listen be one, or disable the unit")
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
