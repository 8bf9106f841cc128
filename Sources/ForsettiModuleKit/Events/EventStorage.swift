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

  /// Takes the payload of an event, which whoever sent it has checked: the supervisor for all who receive it.
  init(_ origin: EventOrigin, timestamp: Int64, trace: TraceContext?, payload: Span<UInt8>) {
    buffer = .create(minimumCapacity: payload.count) { _ in
      Head(origin: origin, timestamp: timestamp, trace: trace, byteCount: payload.count)
    }
    buffer.withUnsafeMutablePointerToElements { elements in
      payload.withUnsafeBufferPointer { bytes in
        if let start = bytes.baseAddress { elements.initialize(from: start, count: bytes.count) }
      }
    }
  }

  var origin: EventOrigin { withHead { $0.origin } }
  var timestamp: Int64 { withHead { $0.timestamp } }
  var trace: TraceContext? { withHead { $0.trace } }
  /// Bytes of the payload.
  var byteCount: Int { withHead { $0.byteCount } }

  /// By the pointer: `header` itself would be looked after by the runtime each time, as any variable of a class.
  private func withHead<Result>(_ body: (borrowing Head) -> Result) -> Result {
    buffer.withUnsafeMutablePointerToHeader { body($0.pointee) }
  }

  /// Lends the payload.
  func withPayload<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    buffer.withUnsafeMutablePointers { head, elements in
      body(UnsafeBufferPointer(start: elements, count: head.pointee.byteCount).span)
    }
  }
}
