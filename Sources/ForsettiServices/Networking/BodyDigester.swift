import CSodium
import ForsettiBlocking
import ForsettiCore
import Synchronization

/// Makes the digests of bodies that are given in parts, for all modules, on a thread that nobody else waits for: one of
/// the largest size takes some ten milliseconds.
final class BodyDigester: Sendable {
  private struct State {
    var shares = BodyShares()
    /// Made with the first body: few policies let answers be so long.
    var thread: BlockingWorker?
  }

  private let makeThread: @Sendable () throws(SystemError) -> BlockingExecutor
  private let state = Mutex(State())

  init(
    on makeThread: @escaping @Sendable () throws(SystemError) -> BlockingExecutor = {
      () throws(SystemError) in try BlockingExecutor(name: "digests")
    }
  ) { self.makeThread = makeThread }

  /// SHA-256 in hexadecimal digits.
  func digest(_ body: [UInt8], for moduleID: String) async throws(ServiceError) -> String {
    let thread = try takeIn(for: moduleID)
    defer { state.withLock { $0.shares.giveBack(for: moduleID) } }
    return await thread.run { Self.sha256(body) }
  }

  private func takeIn(for moduleID: String) throws(ServiceError) -> BlockingWorker {
    try state.withLock { (state) throws(ServiceError) in
      let thread = if let made = state.thread { made } else { try makeWorker() }
      guard state.shares.take(for: moduleID) else {
        throw .failed(
          code: "network",
          message: "too many answers to \(moduleID) wait for their digest; ask again, for fewer at once")
      }
      state.thread = thread
      return thread
    }
  }

  private func makeWorker() throws(ServiceError) -> BlockingWorker {
    do { return BlockingWorker(on: try makeThread()) } catch {
      throw .failed(code: "network", message: "no thread for the digest of the answer: \(error); ask again")
    }
  }

  private static func sha256(_ body: [UInt8]) -> String {
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&hash, body, UInt64(body.count))
    return hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
