import CLinux
import ForsettiConsole
import ForsettiCore
import ForsettiHTTP
import ForsettiIPC
import ForsettiLockdown
import Glibc

/// Shows a supervisor in browsers. It is started by the supervisor's `ConsoleKeeper`: the request on 3, a word on what
/// went wrong on 4, the listening socket on 5. It is locked before it takes a connection (docs/console.md), and ends with
/// whoever started it.
@main enum Program {
  private static let input: Int32 = 3
  private static let output: Int32 = 4
  private static let socket: Int32 = 5

  static func main() {
    guard let request = readRequest() else { end(65, "it was not told what to do") }
    do throws(LockdownFailure) { try LockedHelper.lock(request.lockdown, mayBeRoot: true) } catch {
      end(71, "\(error.step.rawValue): \(String(cString: strerror(error.errno)))")
    }
    do {
      let listener = try HTTPListener(inheriting: socket)
      let service = ConsoleService(
        address: listener.address, runtimeFolder: request.runtimeFolder, token: request.token)
      let server = try HTTPServer(limits: ConsoleService.limits) { service.answer($0) }
      try server.run(on: listener)
    } catch { end(71, "\(error)") }
  }

  private static func readRequest() -> ConsoleRequest? {
    guard let bytes = LockedHelper.input(input, limit: ConsoleRequest.maximumBytes) else { return nil }
    return try? ConsoleRequest.decode(bytes.span)
  }

  private static func end(_ status: Int32, _ word: String) -> Never {
    _ = word.withCString { write(output, $0, strlen($0)) }
    exit(status)
  }
}
