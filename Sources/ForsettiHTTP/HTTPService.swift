import CLinux
import CMicroHTTPD
import Glibc
import Synchronization

/// What the server's loop and the threads of its connections share.
final class HTTPService: Sendable {
  private let limits: HTTPLimits
  private let wake: Int32
  private let handler: HTTPServer.Handler
  private let table = Mutex(ConnectionTable())
  let isStopped = Atomic(false)

  init(limits: HTTPLimits, wake: Int32, handler: @escaping HTTPServer.Handler) {
    self.limits = limits
    self.wake = wake
    self.handler = handler
  }

  var takesOneMore: Bool {
    table.withLock { $0.takesOneMore(limit: limits.connections, at: SuspendingClock.now) }
  }
  var isFull: Bool { table.withLock { $0.count >= limits.connections } }
  var isIdle: Bool { table.withLock { $0.isEmpty } }

  /// Lets the loop look again.
  func poke() {
    var one: UInt64 = 1
    write(wake, &one, MemoryLayout<UInt64>.size)
  }

  /// The connections whose streams go out: that one of them is gone shows at its socket.
  var streamDescriptors: [Int32] { table.withLock { $0.streamDescriptors } }

  /// A connection is there. Where it is one too many, another gives its place.
  func accepted(_ connection: Int32) {
    let now = SuspendingClock.now
    table.withLock { table in
      table.set(.receiving(until: now + .milliseconds(limits.requestMilliseconds)), connection)
      let other = table.takeOneTooMany(limit: limits.connections, butNot: connection, at: now)
      if let other { cut([other]) }
    }
  }

  /// Looks again whether there is one too many: nobody may have been there to give a place when it came.
  func endOneTooMany() {
    table.withLock { table in
      if let other = table.takeOneTooMany(limit: limits.connections, at: SuspendingClock.now) { cut([other]) }
    }
  }

  /// Before the descriptor is closed: until then nobody else has its number.
  func closed(_ connection: Int32) {
    let isAwaited = table.withLock { table in
      let isAwaited = table.isStopping || table.count >= limits.connections
      table.remove(connection)
      return isAwaited
    }
    if isAwaited { poke() }
  }

  /// Cuts off what is late; everything where that is late.
  func endOverdue(_ isEverything: Bool) {
    table.withLock { table in cut(table.takeOverdue(at: isEverything ? nil : SuspendingClock.now)) }
  }

  /// Ends the streams whose clients are gone, and gives their places free.
  func endAbandoned() {
    let abandoned = table.withLock { table -> [any HTTPStream] in
      // Looked at under the lock, as a descriptor leaves the table before it is closed: its number is no other's yet.
      var polled = table.streamDescriptors.map { pollfd(fd: $0, events: Self.isGone, revents: 0) }
      guard !polled.isEmpty, poll(&polled, nfds_t(polled.count), 0) > 0 else { return [] }
      let gone = polled.filter { $0.revents != 0 }.map(\.fd)
      cut(gone)
      return table.takeStreams(on: Set(gone))
    }
    for stream in abandoned { stream.cancel() }
  }

  /// That a client has closed its connection, or its half of it: whoever ends it so reads no events either.
  static let isGone = cmicrohttpd_peer_closed

  /// Begins the end: no request and no stream from now on.
  func beginEnd() {
    let streams = table.withLock { table in
      table.stop()
      cut(table.takeOverdue(at: SuspendingClock.now))
      return table.streams
    }
    for stream in streams { stream.cancel() }
  }

  private func expectRequest(_ connection: Int32) {
    let now = SuspendingClock.now
    set(.receiving(until: now + .milliseconds(limits.requestMilliseconds)), connection)
    table.withLock { table in
      if table.isStopping { cut(table.takeOverdue(at: now)) }
    }
  }

  /// It does something else, in which it may give its place to a newcomer who waits for one.
  private func set(_ phase: ConnectionTable.Phase, _ connection: Int32) {
    let isFull = table.withLock { table in
      table.set(phase, connection)
      return table.count >= limits.connections
    }
    if isFull { poke() }
  }

  /// Under the table's lock, as a descriptor leaves the table before it is closed.
  private func cut(_ connections: [Int32]) {
    for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
  }
}

// MARK: - One request, on the thread of its connection

extension HTTPService {
  private func goOn(
    _ exchange: HTTPExchange, method: UnsafePointer<CChar>, piece: UnsafeRawBufferPointer,
    _ connection: OpaquePointer
  ) -> MHD_Result {
    do throws(HTTPRefusal) {
      if !exchange.isBegun {
        try exchange.begin(method: method, connection)
        return .YES
      }
      if !piece.isEmpty {
        exchange.append(piece)
        return .YES
      }
      let request = try exchange.finish()
      // Cut off meanwhile: nobody hears whether it was done, and so may ask again.
      guard table.withLock({ $0.set(.unbounded, cmicrohttpd_socket(connection)) }) else { return .NO }
      return send(handler(request), connection)
    } catch { return send(error.response, connection) }
  }

  private func send(_ response: HTTPResponse, _ connection: OpaquePointer) -> MHD_Result {
    let socket = cmicrohttpd_socket(connection)
    let now = SuspendingClock.now
    let prepared: OpaquePointer?
    switch response.body {
    case .bytes(var bytes):
      set(.sending(since: now, until: now + .milliseconds(limits.responseMilliseconds)), socket)
      let count = bytes.count
      prepared = bytes.withUnsafeMutableBytes {
        MHD_create_response_from_buffer(count, $0.baseAddress, .RESPMEM_MUST_COPY)
      }
    case .stream(let stream):
      guard table.withLock({ $0.add(stream, on: socket, limit: limits.streams) }) else {
        stream.cancel()
        return send(HTTPResponse(.unavailable, "There are too many streams already.\n"), connection)
      }
      // The loop watches this one too from here on.
      poke()
      prepared = HTTPStreamReader(stream) { [self] stream in table.withLock { $0.remove(stream) } }
        .makeResponse()
    }
    guard let prepared else { return .NO }
    defer { MHD_destroy_response(prepared) }
    for field in response.headers.fields {
      guard MHD_add_response_header(prepared, field.name, field.value) == .YES else {
        return send(HTTPResponse(.internalError), connection)
      }
    }
    return MHD_queue_response(connection, UInt32(response.status.rawValue), prepared)
  }
}

// MARK: - What the library calls

extension HTTPService {
  /// The service behind a callback's context, which outlives the daemon: the server holds it.
  private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPService? {
    context.map { Unmanaged<HTTPService>.fromOpaque($0).takeUnretainedValue() }
  }

  static let callbacks = cmicrohttpd_callbacks(
    begin: { context, target, _ in
      guard let service = HTTPService.of(context), let target else { return nil }
      let exchange = HTTPExchange(target: target, limits: service.limits)
      return Unmanaged.passRetained(exchange).toOpaque()
    },
    go_on: { context, connection, _, method, _, bytes, count, exchange in
      guard let service = HTTPService.of(context), let connection, let method, let count,
        let exchange = exchange?.pointee
      else { return .NO }
      let piece = UnsafeRawBufferPointer(start: bytes, count: count.pointee)
      // All of it is taken.
      count.pointee = 0
      return service.goOn(
        Unmanaged<HTTPExchange>.fromOpaque(exchange).takeUnretainedValue(), method: method, piece: piece,
        connection)
    },
    end: { context, connection, exchange, _ in
      if let reference = exchange?.pointee { Unmanaged<HTTPExchange>.fromOpaque(reference).release() }
      exchange?.pointee = nil
      if let connection { HTTPService.of(context)?.expectRequest(cmicrohttpd_socket(connection)) }
    },
    connection: { context, connection, _, change in
      guard change == .CONNECTION_NOTIFY_CLOSED, let connection else { return }
      HTTPService.of(context)?.closed(cmicrohttpd_socket(connection))
    })
}
