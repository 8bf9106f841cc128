import ForsettiIPC
import Glibc

/// The supervisor's ends of one worker's pipes. Each turn reads once, so a worker that floods waits for its next turn
/// like every module.
@ReactorActor final class NetworkConversation {
  /// What comes out of it.
  enum Report {
    case answer(NetworkAnswer, exchange: UInt64)
    /// Its end of the pipe is closed, or it said what it could not have said: nothing follows.
    case over(String)
  }

  /// Requests that wait to be read, all together: more than `TransferQueue` lets go at once.
  private static let queueBytes = 256 << 20

  private let reader: Descriptor
  private let writer: Descriptor
  private let report: @ReactorActor (Report) -> Void
  private var decoder = FrameDecoder(bodyLimit: 2 * NetworkWindow.bytes)
  private var queue = OutboundQueue(byteLimit: queueBytes, frameLimit: .max)
  private var readSource: EventSource?
  private var writeSource: EventSource?

  /// Has the keeper start a worker.
  static func begin(
    with keeper: NetworkKeeper, report: @escaping @ReactorActor (Report) -> Void
  ) throws(SystemError) -> NetworkConversation {
    let input = try Pipe.open(nonBlocking: true)
    let output = try Pipe.open(nonBlocking: true)
    try keeper.start(input: input.reader.number, output: output.writer.number)
    return try NetworkConversation(
      reader: output.keepingReader(), writer: input.keepingWriter(), report: report)
  }

  private init(
    reader: consuming Descriptor, writer: consuming Descriptor,
    report: @escaping @ReactorActor (Report) -> Void
  ) throws(SystemError) {
    let input = reader.number
    self.reader = reader
    self.writer = writer
    self.report = report
    readSource = try Reactor.shared.watch(input, for: .readable) { [unowned self] _ in read() }
  }

  /// Says something about an exchange.
  /// - Throws: what is too long for a frame, or `full`.
  func say(_ request: NetworkRequest, _ exchange: UInt64) throws(MessageEncodingError) {
    try queue.append(request, exchange: exchange)
    flush()
  }

  private func flush() {
    // A worker that reads no more has closed its other pipe as well, which tells the rest.
    if !queue.write(to: writer.number) { queue.removeAll() }
    if queue.isEmpty {
      writeSource?.cancel()
      writeSource = nil
    } else if writeSource == nil {
      // Without memory for a watch the exchanges' deadlines still hold.
      writeSource = try? Reactor.shared.watch(writer.number, for: .writable) { [unowned self] _ in flush() }
    }
  }

  private func read() {
    let count = decoder.withWritableBuffer { Glibc.read(reader.number, $0.baseAddress, $0.count) } ?? 0
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return end("it closed its pipe") }
    decoder.didRead(count)
    do {
      while readSource != nil, let (answer, exchange) = try nextAnswer() {
        report(.answer(answer, exchange: exchange))
      }
    } catch { end("it said what it could not have said: \(error)") }
  }

  private func nextAnswer() throws -> (NetworkAnswer, UInt64)? {
    // Frames borrow from the decoder, which therefore can't stay in a property meanwhile.
    var decoder = FrameDecoder()
    swap(&decoder, &self.decoder)
    defer { swap(&decoder, &self.decoder) }
    guard let frame = try decoder.next() else { return nil }
    guard let answer = try frame.networkAnswer() else {
      throw FrameError.unknownKind(frame.header.kind.rawValue)
    }
    return (answer, frame.header.callID)
  }

  private func end(_ reason: String) {
    close()
    report(.over(reason))
  }

  /// Hears and says no more.
  func close() {
    readSource?.cancel()
    readSource = nil
    writeSource?.cancel()
    writeSource = nil
    queue.removeAll()
  }
}
