import CLinux
import CMicroHTTPD
public import ForsettiBlocking
import ForsettiCore
import Glibc
import Synchronization

/// A socket that listens, on this host alone, as servers have it.
public typealias HTTPListener = HostListener

/// An HTTP/1.1 server for one host's own use, on libmicrohttpd. Each connection has a thread, so a handler may block;
/// handlers of several connections run at once. What a client may send, hold and take is bounded by `HTTPLimits`.
public final class HTTPServer: Sendable {
  /// Answers a request.
  public typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

  private let service: HTTPService
  private let limits: HTTPLimits
  /// eventfd(2): something for the loop to look at.
  private let wake: Int32

  /// Makes a server that does not run yet.
  /// - Throws: EMFILE and the like, where there is no descriptor to be had.
  public init(limits: HTTPLimits = HTTPLimits(), handler: @escaping Handler) throws(SystemError) {
    wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard wake >= 0 else { throw SystemError("eventfd", errno) }
    self.limits = limits
    service = HTTPService(limits: limits, wake: wake, handler: handler)
  }

  deinit { close(wake) }

  /// Serves on the calling thread until `stop`, and returns when the last handler has. A server runs once.
  /// - Parameter descriptor: one that ends the run, too, when it becomes readable: a signalfd(2), or a pipe whose other
  ///   end another process holds.
  public func run(on listener: borrowing HostListener, until descriptor: Int32 = -1) throws(SystemError) {
    // Its threads leave signals alone: they are for the one who runs the server.
    let daemon = withSignalsBlocked {
      cmicrohttpd_start(
        HTTPService.callbacks, Unmanaged.passUnretained(service).toOpaque(), limits.memory,
        limits.idleSeconds, UInt32(clamping: limits.connections + 8))
    }
    guard let daemon else { throw SystemError("start libmicrohttpd", errno) }
    defer {
      drain()
      MHD_stop_daemon(daemon)
    }
    while try wait(listener.number, descriptor) {
      service.endAbandoned()
      service.endOverdue(false)
      service.endOneTooMany()
      while service.takesOneMore {
        let connection = cl_unix_accept(listener.number)
        guard connection >= 0 else { break }
        service.accepted(connection)
        // On failure the library has closed it.
        if !Self.add(connection, to: daemon, listener.address) { service.closed(connection) }
      }
    }
  }

  /// Ends the run, from any thread; one that has not begun ends as it begins.
  public func stop() {
    service.isStopped.store(true, ordering: .releasing)
    service.poke()
  }

  /// Ends every connection: those that wait for a request at once, the others when their answer is out, or cut off after
  /// two seconds. The library would end them too, but where it is about to answer a malformed request meanwhile, it reads
  /// the answer where none is (0.9.75, MHD_queue_response after MHD_stop_daemon) and dies.
  private func drain() {
    service.beginEnd()
    let patience = SuspendingClock.now + .seconds(2)
    var polled = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
    while !service.isIdle {
      if poll(&polled, 1, 1_000) > 0 { clear() }
      service.endOverdue(SuspendingClock.now > patience)
    }
  }

  private func clear() {
    var value: UInt64 = 0
    read(wake, &value, MemoryLayout<UInt64>.size)
  }

  private static func add(_ connection: Int32, to daemon: OpaquePointer, _ address: ListenAddress) -> Bool {
    // It looks at the family alone, for what it may ask of the socket: everybody comes from this host.
    var peer = sockaddr_in()
    peer.sin_family = sa_family_t(address.isUnix ? AF_UNIX : AF_INET)
    return withUnsafeBytes(of: &peer) {
      MHD_add_connection(
        daemon, connection, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    } == .YES
  }

  /// Waits for something to do; false at the end. What is late shows within a second, and sooner where a place is wanted.
  private func wait(_ listener: Int32, _ descriptor: Int32) throws(SystemError) -> Bool {
    var polled = [
      pollfd(fd: service.takesOneMore ? listener : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    // A number that is closed meanwhile, or another's already, wakes us for nothing: what it says is not believed.
    polled += service.streamDescriptors.map { pollfd(fd: $0, events: HTTPService.isGone, revents: 0) }
    let count = poll(&polled, nfds_t(polled.count), service.isIdle ? -1 : service.isFull ? 100 : 1_000)
    guard count >= 0 || errno == EINTR else { throw SystemError("poll", errno) }
    if count > 0, polled[1].revents != 0 { clear() }
    return !service.isStopped.load(ordering: .acquiring) && (count <= 0 || polled[2].revents == 0)
  }
}
