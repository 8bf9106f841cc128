import ForsettiCore
import ForsettiIPC
import Glibc

/// The worker's side of its pipes: takes exchanges, performs them, and answers, on one thread. Whatever the supervisor
/// could not have said ends it.
final class WorkerConversation {
  /// Bytes of all answers that wait to be read. The windows of 4,096 exchanges are no more.
  private static let queueBytes = 256 << 20

  private let input: Int32
  private let output: Int32
  private let loop: TransferLoop
  private var decoder = FrameDecoder()
  private var queue = OutboundQueue(byteLimit: queueBytes, frameLimit: .max)

  /// Speaks on these pipes, neither of which blocks.
  init(input: Int32, output: Int32, loop: TransferLoop) {
    self.input = input
    self.output = output
    self.loop = loop
  }

  /// Runs until the supervisor is gone, or says what it could not have said.
  func run() {
    while true {
      for (number, fault) in loop.turn() { say(fault.map { .failed($0) } ?? .ended, number) }
      guard write() else { return }
      loop.wait(reading: input, writing: queue.isEmpty ? nil : output)
      guard read() else { return }
    }
  }

  /// Queues what is said about an exchange; false where that can't be.
  @discardableResult
  private func say(_ answer: NetworkAnswer, _ number: UInt64) -> Bool {
    (try? queue.append(answer, exchange: number)) != nil
  }

  private func read() -> Bool {
    let count = decoder.withWritableBuffer { Glibc.read(input, $0.baseAddress, $0.count) } ?? 0
    guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
    decoder.didRead(count)
    return takeFrames()
  }

  private func write() -> Bool {
    guard !queue.isEmpty else { return true }
    let count = queue.withPendingBytes { Glibc.write(output, $0.baseAddress, $0.count) }
    queue.didWrite(count)
    return count > 0 || errno == EAGAIN || errno == EINTR
  }

  private func takeFrames() -> Bool {
    // Frames borrow from the decoder, which therefore can't stay in a property meanwhile.
    var decoder = FrameDecoder()
    swap(&decoder, &self.decoder)
    defer { swap(&decoder, &self.decoder) }
    do {
      while let frame = try decoder.next() {
        guard let request = try frame.networkRequest(), take(request, frame.header.callID) else {
          return false
        }
      }
      return true
    } catch { return false }
  }

  private func take(_ request: NetworkRequest, _ number: UInt64) -> Bool {
    switch request {
    case .perform(let exchange):
      guard number != 0, !loop.isActive(number) else { return false }
      let transfer = Transfer(number, exchange) { [unowned self] in say($0, number) }
      if !loop.start(transfer) { say(.failed(.failed("libcurl cannot prepare the request")), number) }
    // Of one that has ended meanwhile, neither is news.
    case .credit(let bytes): loop.grant(bytes, to: number)
    case .cancel: loop.cancel(number)
    }
    return true
  }
}
