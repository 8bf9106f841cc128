import ForsettiHTTP
import Glibc
import JamfSimulator
import Synchronization

/// The simulated server behind HTTP: one request after the other, each with the time it is.
final class SimulatorService: Sendable {
  private let server: Mutex<JamfServer>
  /// Becomes readable when the program is to end.
  private let end: Int32

  init(_ server: JamfServer, until end: Int32) {
    self.server = Mutex(server)
    self.end = end
  }

  /// Answers a request; late or in part where the schedule says so.
  func answer(_ request: ServerRequest) -> ServerResponse {
    let answer = server.withLock { $0.answer(request, at: Self.now()) }
    if answer.delayMilliseconds > 0 { wait(answer.delayMilliseconds) }
    guard let count = answer.cutAfterBytes, case .bytes(let bytes) = answer.response.body else {
      return answer.response
    }
    var response = answer.response
    response.body = .stream(CutBody(bytes.prefix(count)))
    return response
  }

  /// Waits, but not past the end.
  private func wait(_ milliseconds: Int) {
    var polled = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    poll(&polled, 1, Int32(clamping: milliseconds))
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// The beginning of a body, behind which the connection ends.
private final class CutBody: HTTPStream {
  private let rest: Mutex<[UInt8]>
  let isWhole = false

  init(_ bytes: some Sequence<UInt8>) { rest = Mutex(Array(bytes)) }

  func next() -> [UInt8]? {
    rest.withLock { rest in
      defer { rest = [] }
      return rest.isEmpty ? nil : rest
    }
  }

  func cancel() { rest.withLock { $0 = [] } }
}
