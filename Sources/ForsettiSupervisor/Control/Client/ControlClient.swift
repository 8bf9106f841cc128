import ForsettiCore
import ForsettiIPC
import ForsettiRuntime
import Glibc

/// The command line's end of the control socket: one call after the other, each waited for.
struct ControlClient: ~Copyable {
  /// Milliseconds that a supervisor may be silent, but for a call that follows what is to come.
  private static let patience: Int32 = 120_000

  private let socket: Descriptor
  private var decoder = FrameDecoder()
  private var lastCall = ControlHello.callID
  private var isGreeted = false

  init(_ socket: consuming Descriptor) { self.socket = socket }

  /// Asks, and hands each item over as it comes.
  /// - Parameters:
  ///   - watch: what ends the call too, such as the end of the output of `logs -f`.
  ///   - dropped: called with the number of items that were lost.
  mutating func call<Request, Item, Answer>(
    _ operation: ControlOperation<Request, Item, Answer>, _ request: Request = Request(),
    until watch: ControlWatch? = nil, dropped: (UInt64) throws(CommandFailure) -> Void = { _ in },
    item: (Item) throws(CommandFailure) -> Void = { _ in }
  ) throws(CommandFailure) -> Answer? {
    var queue = OutboundQueue()
    if !isGreeted {
      try Self.append(
        ControlHello.operation, ControlHello.Request(ControlLimits.versions).control, lastCall, &queue)
    }
    lastCall += 1
    let callID = lastCall
    try Self.append(operation.name, request.control, callID, &queue)
    write(&queue)
    while true {
      guard let (message, id) = try next(watch) else { return nil }
      switch message {
      case .reply(let value) where id == callID: return try Self.decode(value)
      case .reply where id == ControlHello.callID && !isGreeted: isGreeted = true
      case .item(let value) where id == callID: try item(Self.decode(value))
      case .dropped(let count) where id == callID: try dropped(count)
      case .failure(let failure):
        throw CommandFailure(
          status: ExitStatus(rawValue: failure.status) ?? .unavailable, message: failure.message,
          details: failure.details)
      default: throw Self.strange("a \(message.kind) that was not asked for")
      }
    }
  }

  /// Waits for the supervisor to close the connection, which it does when it ends.
  mutating func waitForEnd() throws(CommandFailure) {
    while try readMore(nil) == .more {}
  }

  private static func append(
    _ operation: String, _ request: CBORValue, _ callID: UInt64, _ queue: inout OutboundQueue
  ) throws(CommandFailure) {
    do throws(MessageEncodingError) {
      try ControlMessage.call(operation: operation, request, timeoutMilliseconds: 0)
        .encode(into: &queue, callID: callID)
    } catch { throw CommandFailure(status: .usage, message: "the request is too long: \(error)") }
  }

  /// A supervisor that refuses us has said so, and closed: what it said is read next.
  private func write(_ queue: inout OutboundQueue) {
    while !queue.isEmpty {
      let count = queue.withPendingBytes { Glibc.write(socket.number, $0.baseAddress, $0.count) }
      if count > 0 {
        queue.didWrite(count)
      } else if errno == EAGAIN {
        var polled = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
        guard poll(&polled, 1, Self.patience) > 0 else { return }
      } else if errno != EINTR {
        return
      }
    }
  }

  private static func decode<Value: ControlValue>(_ value: CBORValue) throws(CommandFailure) -> Value {
    do throws(ControlValueError) { return try Value(control: value) } catch { throw strange("\(error)") }
  }

  private static func strange(_ what: String) -> CommandFailure {
    CommandFailure(
      status: .software, message: "the supervisor answers what this client does not understand: \(what)")
  }

  /// The next message; `nil` when the watch says that it is over.
  private mutating func next(_ watch: ControlWatch?) throws(CommandFailure) -> (ControlMessage, UInt64)? {
    while true {
      if let found = try buffered() { return found }
      switch try readMore(watch) {
      case .more: continue
      case .over: return nil
      case .ended:
        if watch?.isEndedBySupervisor == true, isGreeted { return nil }
        throw CommandFailure(
          status: .unavailable, message: "the supervisor ended the connection before it had answered")
      }
    }
  }

  private mutating func buffered() throws(CommandFailure) -> (ControlMessage, UInt64)? {
    do throws(ControlProtocolError) {
      return try decoder.nextControlMessage(itemLimit: ControlLimits.answerItems).map {
        ($0.message, $0.callID)
      }
    } catch { throw Self.strange("\(error)") }
  }

  private enum Reading {
    case more
    /// The supervisor has closed the connection.
    case ended
    /// Somebody has heard enough.
    case over
  }

  /// Reads what there is, once there is something.
  private mutating func readMore(_ watch: ControlWatch?) throws(CommandFailure) -> Reading {
    while true {
      let number = socket.number
      let count = decoder.withWritableBuffer { read(number, $0.baseAddress, $0.count) } ?? 0
      if count > 0 {
        decoder.didRead(count)
        return .more
      }
      guard count < 0, errno == EAGAIN || errno == EINTR else { return .ended }
      var polled = [pollfd(fd: number, events: Int16(POLLIN), revents: 0)] + (watch?.polled ?? [])
      let ready = poll(&polled, nfds_t(polled.count), watch == nil ? Self.patience : -1)
      if ready == 0 {
        throw CommandFailure(
          status: .temporaryFailure, message: "the supervisor does not answer; is it stopped, or very busy?")
      }
      if let watch, polled.dropFirst().contains(where: { $0.revents != 0 }), watch.isOver() { return .over }
    }
  }
}
