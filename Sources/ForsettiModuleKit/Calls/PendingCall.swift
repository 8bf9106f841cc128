internal import ForsettiIPC

/// One call on its way, from the caller's task to the frame that answers it.
///
/// `@unchecked Sendable`: everything in it is touched under the lock of `ModuleCalls`, or by whoever took it out of the
/// table there and so has it alone.
class PendingCall: @unchecked Sendable {
  /// 0 while it is not in the table.
  final var callID: UInt64 = 0
  /// The caller's task, while it waits.
  final var waiter: UnsafeContinuation<Void, Never>?
  /// The caller has taken it back before it was sent.
  final var isCancelled = false
  /// Why it came to nothing.
  final var error: ServiceError?

  /// Keeps the answer; called where the frame lies.
  func take(_ payload: Span<UInt8>) throws(CBORError) {}
}

/// A call that waits for a response of this type.
final class TypedPendingCall<Response: CallValue>: PendingCall, @unchecked Sendable {
  private(set) var response: Response?

  override func take(_ payload: Span<UInt8>) throws(CBORError) {
    var reader = CBORReader(payload)
    let response = try Response(from: &reader)
    try reader.finish()
    self.response = response
  }
}
