import CLinux
import ForsettiConsole
import ForsettiCore
import ForsettiHTTP
import ForsettiIPC
import ForsettiLockdown
import Glibc

/// Shows a supervisor in browsers. It is started by a `ConsoleKeeper`: 3 and 4 are one socket, on which the request comes,
/// then the connections to the control socket that it asks for, and on which its word on what went wrong goes back; 5 is the
/// listening socket. It is locked before it takes a connection (docs/console.md), and ends with whoever started it.
@main enum Program {
  private static let input: Int32 = 3
  private static let output: Int32 = 4
  private static let socket: Int32 = 5

  static func main() {
    guard let request = readRequest() else { end(65, "it was not told what to do") }
    // Calls of modules come first; a kernel that takes no notice shows the pages as well.
    _ = cl_set_slice(UInt64(CL_LONGEST_SLICE))
    do throws(LockdownFailure) { try LockedHelper.lock(request.lockdown, mayBeRoot: true) } catch {
      end(71, "\(error.step.rawValue): \(String(cString: strerror(error.errno)))")
    }
    do {
      let listener = try HTTPListener(inheriting: socket)
      let door = ControlDoor(socket: input)
      let service = ConsoleService(
        address: listener.address, token: request.token, connect: door.open)
      let server = try HTTPServer(limits: ConsoleService.limits) { service.answer($0) }
      try server.run(on: listener)
    } catch { end(71, "\(error)") }
  }

  /// The first packet.
  private static func readRequest() -> ConsoleRequest? {
    var bytes = [UInt8](repeating: 0, count: ConsoleRequest.maximumBytes)
    let count = bytes.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
    guard count > 0 else { return nil }
    return try? ConsoleRequest.decode(bytes.span.extracting(..<count))
  }

  private static func end(_ status: Int32, _ word: String) -> Never {
    _ = word.withCString { write(output, $0, strlen($0)) }
    exit(status)
  }
}
