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
    do throws(LockdownFailure) { try lock(request.lockdown) } catch {
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

  /// All of the input: whoever started us closes its end behind the request.
  private static func readRequest() -> ConsoleRequest? {
    var bytes = [UInt8](repeating: 0, count: ConsoleRequest.maximumBytes)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        read(input, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      filled += count
    }
    return try? ConsoleRequest.decode(Array(bytes[..<filled]).span)
  }

  /// From here on it opens no file and starts no process. Whatever else it calls fails: the filter hands it to a listener
  /// that is closed.
  private static func lock(_ request: LockdownRequest) throws(LockdownFailure) {
    // First, for no call is left for it afterwards: nobody of its user looks into it.
    guard cl_prctl(PR_SET_DUMPABLE, 0) >= 0 else { throw LockdownFailure(step: .dumpable, errno: errno) }
    let listener = try Lockdown.apply(request, mayBeRoot: true).listener
    guard close(listener) == 0 else { throw LockdownFailure(step: .listener, errno: errno) }
  }

  private static func end(_ status: Int32, _ word: String) -> Never {
    _ = word.withCString { write(output, $0, strlen($0)) }
    exit(status)
  }
}
