internal import ForsettiIPC

/// What many events of one sender have in common, shared by them.
final class EventOrigin: Sendable {
  let type: String
  let source: String?
  /// The module that a message is for, which is this one; `nil` for an event.
  let receiver: String?

  init(type: String, source: String?, receiver: String? = nil) {
    self.type = type
    self.source = source
    self.receiver = receiver
  }
}

/// An event in one piece of memory, its payload as it came behind all else: through the queue and to the handler goes
/// one reference, where each text of its own would be one more to count.
///
/// `@unchecked Sendable`: nothing of it changes once it is made.
struct EventStorage: @unchecked Sendable {
  private struct Head {
    let origin: EventOrigin
    let timestamp: Int64
    let trace: TraceContext?
    let byteCount: Int
  }

  private let buffer: ManagedBuffer<Head, UInt8>

  /// Takes the payload of an event; what `EventPayload.validate` refuses is refused here.
  init(
    _ origin: EventOrigin, timestamp: Int64, trace: TraceContext?, payload: Span<UInt8>
  ) throws(CBORError) {
    try EventPayload.validate(payload)
    buffer = .create(minimumCapacity: payload.count) { _ in
      Head(origin: origin, timestamp: timestamp, trace: trace, byteCount: payload.count)
    }
    buffer.withUnsafeMutablePointerToElements { elements in
      payload.withUnsafeBufferPointer { bytes in
        if let start = bytes.baseAddress { elements.initialize(from: start, count: bytes.count) }
      }
    }
  }

  var origin: EventOrigin { buffer.header.origin }
  var timestamp: Int64 { buffer.header.timestamp }
  var trace: TraceContext? { buffer.header.trace }
  /// Bytes of the payload.
  var byteCount: Int { buffer.header.byteCount }

  /// Lends the payload, which is valid.
  func withPayload<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    buffer.withUnsafeMutablePointers { head, elements in
      body(UnsafeBufferPointer(start: elements, count: head.pointee.byteCount).span)
    }
  }
}
