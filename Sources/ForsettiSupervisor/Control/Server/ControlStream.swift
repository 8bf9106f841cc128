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

  /// Sends an item once the client has read enough of what came before.
  func send(_ item: some ControlValue) async throws(ControlFailure) {
    guard let connection, await connection.waitForRoom() else {
      throw ControlFailure(.failed, .unavailable, "the client is gone")
    }
    try connection.send(.item(item.control), callID)
  }

  /// Sends an item if there is room, else counts it as lost; the count goes before the next one.
  func offer(_ item: some ControlValue) {
    guard let connection, connection.hasRoom else {
      lost &+= 1
      return
    }
    if lost > 0, (try? connection.send(.dropped(lost), callID)) != nil { lost = 0 }
    if (try? connection.send(.item(item.control), callID)) == nil { lost &+= 1 }
  }
}
