import CSodium
import ForsettiBlocking
import ForsettiCore
import Synchronization

/// Makes the digests of bodies that are given in parts, for all modules, on a thread that nobody else waits for: one of
/// the largest size takes some ten milliseconds. A body counts in no share of the network worker any more once it is
/// here, so how many may be here is bounded.
final class BodyDigester: Sendable {
  /// Bodies at once: 64 MiB, as large as they may be.
  static let limit = 16

  private let thread: BlockingWorker
  private let bodies = Mutex(0)

  init(on executor: BlockingExecutor) { thread = BlockingWorker(on: executor) }

  /// SHA-256 in hexadecimal digits.
  func digest(_ body: [UInt8]) async throws(ServiceError) -> String {
    let isTaken = bodies.withLock { count in
      guard count < Self.limit else { return false }
      count += 1
      return true
    }
    guard isTaken else {
      throw .failed(
        code: "network", message: "\(Self.limit) answers wait for their digest already; try again")
    }
    defer { bodies.withLock { $0 -= 1 } }
    return await thread.run { Self.sha256(body) }
  }

  private static func sha256(_ body: [UInt8]) -> String {
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&hash, body, UInt64(body.count))
    return hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
