import ForsettiModuleKit
import Synchronization

/// The host's SHA-256 as a test has it: it keeps what it was asked to hash, and tells its calls apart.
final class FakeHash: Sendable {
  private let failingCall: Int?
  private let kept = Mutex<[[UInt8]]>([])

  /// - Parameter failingAt: the call that fails, counted from 1.
  init(failingAt call: Int? = nil) { failingCall = call }

  /// What was to be hashed, in the order of the calls.
  var hashed: [[UInt8]] { kept.withLock { $0 } }

  /// Bytes that end with the number of the call.
  nonisolated(nonsending) func sha256(_ bytes: [UInt8]) async throws(ServiceError) -> [UInt8] {
    let call = kept.withLock { kept in
      kept.append(bytes)
      return kept.count
    }
    if call == failingCall { throw .deadlineExceeded }
    return [0x00, 0x0f, 0xa0, 0xff, UInt8(truncatingIfNeeded: call)]
  }
}
