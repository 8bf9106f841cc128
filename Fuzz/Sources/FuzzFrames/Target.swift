import ForsettiCore
import ForsettiIPC
import FuzzDriver
import Glibc

/// Bytes of a pipe, in pieces as large as the first byte says: the decoder, every message's codec, the heads of calls
/// and events and the talk with the network's worker must be read or refused, and what was read as a message can be
/// written.
@main enum Target {
  static func main() {
    exit(
      fuzz { start, count in
        let bytes = UnsafeBufferPointer.input(start, count)
        guard let step = bytes.first else { return 0 }
        var rest = bytes.dropFirst()
        var decoder = FrameDecoder()
        while !rest.isEmpty {
          let piece = rest.prefix(max(1, Int(step)))
          let taken = decoder.withWritableBuffer { buffer in
            let size = min(buffer.count, piece.count)
            buffer.copyBytes(from: piece.prefix(size))
            return size
          }
          guard let taken else { return 0 }
          decoder.didRead(taken)
          rest = rest.dropFirst(taken)
          guard Target.readAll(&decoder) else { return 0 }
        }
        return 0
      })
  }

  /// False once the decoder is poisoned.
  private static func readAll(_ decoder: inout FrameDecoder) -> Bool {
    while true {
      do {
        guard let frame = try decoder.next() else { return true }
        look(at: frame)
      } catch { return false }
    }
  }

  private static func look(at frame: borrowing Frame) {
    switch frame.header.kind {
    case .call:
      _ = try? CallHead(frame.head)
      if let request = try? frame.networkRequest() {
        var queue = OutboundQueue()
        precondition(
          (try? queue.append(request, exchange: 1)) != nil, "a request that was read can't be written")
      }
    case .reply:
      if let answer = try? frame.networkAnswer() {
        var queue = OutboundQueue()
        precondition(
          (try? queue.append(answer, exchange: 1)) != nil, "an answer that was read can't be written")
      }
    case .failure: _ = try? ServiceError.decode(frame.head)
    case .publish, .deliver:
      _ = try? EventHead(frame.head, of: frame.header.kind)
      _ = try? DeliverHead(frame.head)
      if let texts = try? EventPayload.decode(frame.payload) {
        for (key, text) in texts { precondition(EventPayload.text(key, in: frame.payload) == text) }
      }
    default:
      guard let message = try? ProtocolMessage.decode(frame) else { return }
      precondition((try? message.encoded()) != nil, "a message that was read can't be written")
    }
  }
}
