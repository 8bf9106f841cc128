import CLinux
public import ForsettiBlocking
public import ForsettiIPC
import Glibc

/// A client's end of the control socket (docs/control.md): one call after the other, each waited for. What a value means
/// is the caller's to know.
public struct ControlChannel: ~Copyable {
  /// What comes of a call; nothing follows an answer.
  public enum Step: Sendable {
    /// One part of the answer.
    case item(CBORValue)
    /// So many items were lost before the next one.
    case dropped(UInt64)
    /// The answer.
    case answer(CBORValue)
    /// Nothing came for as long as the caller waits.
    case silence
  }

  /// The socket's name in the runtime folder.
  public static let socketName = "control.sock"
  /// Milliseconds that a supervisor may be silent.
  public static let patience: Int32 = 120_000

  private let socket: Descriptor
  private var decoder = FrameDecoder()
  private var lastCall = ControlHello.callID
  private var isGreeted = false

  /// Speaks on a connected socket that does not block.
  /// - Parameter isGreeted: whether somebody has said hello on it already.
  public init(_ socket: consuming Descriptor, isGreeted: Bool = false) {
    self.socket = socket
    self.isGreeted = isGreeted
  }

  /// Connects to the supervisor with this runtime folder. The folder is named by a descriptor, not by its path: that may
  /// be longer than the 107 bytes of an address, and the folder of another user may be passed through, not read.
  public init(folder: String) throws(ControlClientError) {
    // O_PATH of open(2), which Swift's Glibc lacks.
    let pathOnly: Int32 = 0o10_000_000
    let directory: Descriptor
    do throws(SystemError) {
      directory = try Descriptor.open(folder, pathOnly | O_DIRECTORY)
    } catch {
      if error.errno == ENOENT || error.errno == ENOTDIR { throw .absent }
      throw .unreachable("cannot look into \(folder)", errno: error.errno)
    }
    let number = cl_unix_socket(0o600)
    guard number >= 0 else { throw .unreachable("cannot make a socket", errno: -number) }
    let socket = Descriptor(owning: number)
    switch -cl_unix_connect(socket.number, "/proc/self/fd/\(directory.number)/\(Self.socketName)") {
    case 0: self.init(socket)
    case ENOENT, ECONNREFUSED: throw .absent
    case let code: throw .unreachable("cannot connect to \(folder)/\(Self.socketName)", errno: code)
    }
  }

  /// Begins a call; what comes of it is read by `next`.
  public mutating func begin(_ operation: String, _ request: CBORValue) throws(ControlClientError) {
    var queue = OutboundQueue()
    if !isGreeted {
      try Self.append(
        ControlHello.operation, ControlHello.Request(ControlLimits.versions).control, ControlHello.callID,
        &queue)
    }
    lastCall += 1
    try Self.append(operation, request, lastCall, &queue)
    write(&queue)
  }

  /// What comes next of the call that was begun last.
  /// - Parameters:
  ///   - watch: what ends the call too; then `nil` comes.
  ///   - milliseconds: how long nothing may come, which is a failure where nothing is watched; negative for as long as it
  ///     takes.
  public mutating func next(
    until watch: ControlWatch? = nil, within milliseconds: Int32 = patience
  ) throws(ControlClientError) -> Step? {
    while true {
      guard let (message, id) = try buffered() else {
        switch try readMore(watch, milliseconds) {
        case .more: continue
        case .silence: return .silence
        case .over: return nil
        case .ended:
          if watch?.isEndedBySupervisor == true, isGreeted { return nil }
          throw .ended
        }
      }
      if let step = try step(message, id) { return step }
    }
  }

  /// Waits for the answer to the call that was begun last, and makes text of the items before it.
  public mutating func answer(
    addingItemsTo text: inout ControlItemText
  ) throws(ControlClientError) -> CBORValue {
    while true {
      guard let (message, id) = try buffered(addingItemsTo: &text) else {
        guard try readMore(nil, Self.patience) == .more else { throw .ended }
        continue
      }
      if case .answer(let value) = try step(message, id) { return value }
    }
  }

  /// What a message says of the call that was begun last; `nil` for nothing.
  private mutating func step(_ message: ControlMessage, _ id: UInt64) throws(ControlClientError) -> Step? {
    switch message {
    case .reply(let value) where id == lastCall: return .answer(value)
    case .reply where id == ControlHello.callID && !isGreeted: isGreeted = true
    case .item(let value) where id == lastCall: return .item(value)
    case .dropped(let count) where id == lastCall: return .dropped(count)
    case .failure(let failure): throw .refused(failure)
    default: throw .strange("a \(message.kind) that was not asked for")
    }
    return nil
  }

  /// Says hello for somebody who is to have less than this user's rights, and gives the connection away.
  public consuming func greeted(for scope: ControlScope) throws(ControlClientError) -> Descriptor {
    var queue = OutboundQueue()
    try Self.append(
      ControlHello.operation, ControlHello.Request(ControlLimits.versions, scope: scope).control,
      ControlHello.callID, &queue)
    write(&queue)
    // Nothing but the answer comes before somebody asks for more, so nothing of it is left behind here.
    while true {
      if let (message, _) = try buffered() {
        switch message {
        case .reply: return socket
        case .failure(let failure): throw .refused(failure)
        default: throw .strange("a \(message.kind) that was not asked for")
        }
      }
      guard try readMore(nil, Self.patience) == .more else { throw .ended }
    }
  }

  /// Waits for the supervisor to close the connection, which it does when it ends.
  public mutating func waitForEnd() throws(ControlClientError) {
    while try readMore(nil, Self.patience) == .more {}
  }

  private static func append(
    _ operation: String, _ request: CBORValue, _ callID: UInt64, _ queue: inout OutboundQueue
  ) throws(ControlClientError) {
    do throws(MessageEncodingError) {
      try ControlMessage.call(operation: operation, request, timeoutMilliseconds: 0)
        .encode(into: &queue, callID: callID)
    } catch { throw .tooLong }
  }

  /// A supervisor that refuses us has said so, and closed: what it said is read next.
  private func write(_ queue: inout OutboundQueue) {
    while !queue.isEmpty {
      // Without SIGPIPE, whatever the program does with that.
      let count = queue.withPendingBytes {
        send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
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

  private mutating func buffered() throws(ControlClientError) -> (ControlMessage, UInt64)? {
    do throws(ControlProtocolError) {
      return try decoder.nextControlMessage(itemLimit: ControlLimits.answerItems).map {
        ($0.message, $0.callID)
      }
    } catch { throw .strange("\(error)") }
  }

  private mutating func buffered(
    addingItemsTo text: inout ControlItemText
  ) throws(ControlClientError) -> (ControlMessage, UInt64)? {
    do throws(ControlProtocolError) {
      let next = try decoder.nextControlMessage(
        itemLimit: ControlLimits.answerItems, addingItemsTo: &text)
      return next.map { ($0.message, $0.callID) }
    } catch { throw .strange("\(error)") }
  }

  private enum Reading {
    case more
    case silence
    /// The supervisor has closed the connection.
    case ended
    /// Somebody has heard enough.
    case over
  }

  /// Reads what there is, once there is something.
  private mutating func readMore(
    _ watch: ControlWatch?, _ milliseconds: Int32
  ) throws(ControlClientError) -> Reading {
    while true {
      let number = socket.number
      let count = decoder.withWritableBuffer { read(number, $0.baseAddress, $0.count) } ?? 0
      if count > 0 {
        decoder.didRead(count)
        return .more
      }
      guard count < 0, errno == EAGAIN || errno == EINTR else { return .ended }
      var polled = [pollfd(fd: number, events: Int16(POLLIN), revents: 0)] + (watch?.polled ?? [])
      let ready = poll(&polled, nfds_t(polled.count), milliseconds)
      if ready == 0 {
        if watch == nil { throw .silent }
        return .silence
      }
      if let watch, polled.dropFirst().contains(where: { $0.revents != 0 }), watch.isOver() { return .over }
    }
  }
}
