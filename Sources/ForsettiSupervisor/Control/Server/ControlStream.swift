import ForsettiIPC
import ForsettiRuntime

/// Where an operation's items go. A list waits for its reader; what happens meanwhile does not.
@ReactorActor final class ControlStream {
  private let callID: UInt64
  private weak var connection: ControlConnection?
  private var lost: UInt64 = 0

  init(callID: UInt64, connection: ControlConnection) {
    self.callID = callID
    self.connection = connection
  }

  /// The call is answered: what comes of its work from now on goes nowhere.
  func end() { connection = nil }

  /// Sends an item once the client has read enough of what came before.
  func send(_ item: some ControlValue) async throws(ControlFailure) {
    try await onceThereIsRoom { (connection) throws(ControlFailure) in
      try connection.send(.item(item.control), callID)
    }
  }

  /// Sends the items that `make` makes, once the client has read enough of what came before. They are made and encoded
  /// elsewhere than on the reactor: a thousand rows would hold up calls for longer than those may wait.
  func send(
    made make: @escaping @Sendable () -> [some ControlRecord]
  ) async throws(ControlFailure) {
    // Nothing is made before somebody reads it.
    try await onceThereIsRoom { _ in }
    let frames = try await Reactor.inBackground { [callID] () throws(ControlFailure) in
      try EncodedItems(make(), callID)
    }
    try await onceThereIsRoom { (connection) throws(ControlFailure) in try connection.send(frames) }
  }

  /// Sends items that are encoded already, some at a time, each time once the client has read enough of what came before.
  func send(encoded items: [[UInt8]]) async throws(ControlFailure) {
    for start in stride(from: 0, to: items.count, by: Self.itemsAtOnce) {
      if start > 0 { await Reactor.nextTurn() }
      try await onceThereIsRoom { (connection) throws(ControlFailure) in
        try connection.send(encoded: items[start...].prefix(Self.itemsAtOnce), callID)
      }
    }
  }
  private static let itemsAtOnce = 128

  /// Sends in the same turn that has seen the room: of several that are told of it, each may take all of it.
  private func onceThereIsRoom(
    _ send: (ControlConnection) throws(ControlFailure) -> Void
  ) async throws(ControlFailure) {
    while true {
      guard let connection, await connection.waitForRoom(), self.connection != nil else {
        throw ControlFailure(.failed, .unavailable, "nobody waits for the answer any more")
      }
      if connection.hasRoom { return try send(connection) }
    }
  }

  /// Sends an item if there is room, else counts it as lost. The count goes as soon as there is room again, before any other
  /// item, and not with the next one, which may never come: whoever looks at something when it is told of a change must look
  /// once more.
  func offer(_ item: some ControlValue) {
    if lost == 0, let connection, connection.hasRoom,
      (try? connection.send(.item(item.control), callID)) != nil
    {
      return
    }
    lost &+= 1
    if lost == 1 { Task(executorPreference: Reactor.shared) { await self.tellLost() } }
  }

  private func tellLost() async {
    // Who is gone need not know.
    try? await onceThereIsRoom { (connection) throws(ControlFailure) in
      try connection.send(.dropped(lost), callID)
      lost = 0
    }
  }
}

/// Items as the frames that they cross in.
final class EncodedItems: Sendable {
  let frames: OutboundQueue

  /// - Throws: what can't be sent.
  init(_ items: [some ControlRecord], _ callID: UInt64) throws(ControlFailure) {
    var frames = OutboundQueue()
    for item in items {
      let payload: [UInt8]
      do throws(CBORError) { payload = try item.encoded() } catch { throw ControlFailure(unsendable: error) }
      do throws(MessageEncodingError) {
        try ControlMessage.encodeItem(payload, into: &frames, callID: callID)
      } catch { throw ControlFailure(unsendable: error) }
    }
    self.frames = frames
  }
}

extension ControlFailure {
  /// An answer that can't be said, or that its reader leaves no room for.
  init(unsendable error: some Error) {
    self.init(.failed, .software, "the answer cannot be sent: \(error)")
  }
}
