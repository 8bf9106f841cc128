import ForsettiCore
import ForsettiIPC
import FuzzDriver
import Glibc

/// What a client of the control socket sends: every frame is read as a message or refused, what was read can be sent again
/// as the same, and a request is the record of an operation, JSON of any shape, or a typed fault.
@main enum Target {
  static func main() {
    exit(
      fuzz { start, count in
        let bytes = UnsafeBufferPointer.input(start, count)
        var decoder = FrameDecoder(bodyLimit: ControlLimits.requestBytes)
        let taken = decoder.withWritableBuffer { buffer in
          let size = min(buffer.count, bytes.count)
          buffer.copyBytes(from: bytes.prefix(size))
          return size
        }
        guard let taken else { return 0 }
        decoder.didRead(taken)
        while let (message, callID) = try? decoder.nextControlMessage(itemLimit: ControlLimits.requestItems) {
          // Named in full: a function of C takes no context, and `self` would be one.
          Target.look(at: message, callID)
        }
        return 0
      })
  }

  private static func look(at message: ControlMessage, _ callID: UInt64) {
    var queue = OutboundQueue()
    precondition(
      (try? message.encode(into: &queue, callID: callID)) != nil, "a message that was read can't be written")
    switch message {
    case .call(_, let value, _), .item(let value), .reply(let value):
      if let request = try? Request(control: value) {
        let sent = try? request.control.encoded()
        let again = try? Request(control: request.control).control.encoded()
        precondition(sent != nil && again == sent, "a request changes when it is sent again")
        _ = JSONWriter.text(request.json)
      }
      if let json = try? JSONValue(control: value) { _ = JSONWriter.text(json) }
    case .dropped, .failure, .cancel: break
    }
  }

  /// A record with a member of every kind that requests have, by the names of the real ones.
  private struct Request: ControlRecord {
    var module: String?
    var isComplete = false
    var count = 0
    var since = 0.0
    var metadata: [String: String] = [:]
    var names: [String] = []
    var parameters = JSONValue.null

    mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
      try members("module", &module)
      try members("complete", &isComplete)
      try members("count", &count)
      try members("since", &since)
      try members("metadata", &metadata)
      try members("names", &names)
      try members("parameters", &parameters)
    }
  }
}
