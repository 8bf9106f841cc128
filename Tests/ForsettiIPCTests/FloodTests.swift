import CLinux
import Glibc
import Synchronization
import Testing

@testable import ForsettiIPC

/// One end of a channel, on a thread of its own: it queues frames as fast as its queue takes them, writes when the pipe
/// has room, and keeps reading meanwhile.
private struct FloodingEnd {
  var input: Int32
  var output: Int32
  /// Frames to send, and frames to expect.
  var frames: Int
  var payloadBytes: (Int) -> Int

  struct Report {
    var received = 0
    var inOrder = true
    var largestBuffer = 0
    var largestQueue = 0
    var error: String?
  }

  func run() -> Report {
    var report = Report()
    var decoder = FrameDecoder()
    var queue = OutboundQueue()
    var sent = 0
    let payload = [UInt8](repeating: 0x20, count: (0..<16).map(payloadBytes).max() ?? 0)
    while report.received < frames || sent < frames || !queue.isEmpty {
      while sent < frames {
        let header = FrameHeader(kind: .publish, length: 0, headLength: 0, callID: UInt64(sent))
        let part = payload.span.extracting(first: payloadBytes(sent))
        do { try queue.append(header, head: Span(), payload: part) } catch { break }
        sent += 1
      }
      report.largestQueue = max(report.largestQueue, queue.capacity)
      var descriptors = [
        pollfd(fd: report.received < frames ? input : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: queue.isEmpty ? -1 : output, events: Int16(POLLOUT), revents: 0),
      ]
      guard poll(&descriptors, 2, 20_000) > 0 else {
        report.error = "nothing moved for 20 s: received \(report.received), sent \(sent)"
        return report
      }
      if descriptors[1].revents != 0 {
        queue.didWrite(queue.withPendingBytes { write(output, $0.baseAddress, $0.count) })
      }
      if descriptors[0].revents != 0 { receive(&decoder, &report) }
      if report.error != nil { return report }
    }
    return report
  }

  private func receive(_ decoder: inout FrameDecoder, _ report: inout Report) {
    guard let count = decoder.withWritableBuffer({ read(input, $0.baseAddress, $0.count) }) else {
      report.error = "no room to read into"
      return
    }
    decoder.didRead(count)
    do {
      while let frame = try decoder.next() {
        let isNext = frame.header.callID == UInt64(report.received)
        report.inOrder = report.inOrder && isNext && frame.payload.count == payloadBytes(report.received)
        report.received += 1
      }
    } catch { report.error = "\(error)" }
    report.largestBuffer = max(report.largestBuffer, decoder.capacity)
  }
}

private func pipePair() throws -> (read: Int32, write: Int32) {
  var ends: [Int32] = [-1, -1]
  try #require(cl_pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0)
  return (ends[0], ends[1])
}

private func runBoth(_ left: FloodingEnd, _ right: FloodingEnd) throws -> [FloodingEnd.Report] {
  final class Slot: Sendable {
    let end: @Sendable () -> FloodingEnd.Report
    let report = Mutex(FloodingEnd.Report())
    init(_ end: @escaping @Sendable () -> FloodingEnd.Report) { self.end = end }
  }
  nonisolated(unsafe) let (left, right) = (left, right)  // Plain values; each is used on one thread alone.
  let slots = [Slot { left.run() }, Slot { right.run() }]
  var threads: [pthread_t] = []
  for slot in slots {
    var thread = pthread_t()
    let started = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let slot = Unmanaged<Slot>.fromOpaque(context).takeRetainedValue()
        let report = slot.end()
        slot.report.withLock { $0 = report }
        return nil
      }, Unmanaged.passRetained(slot).toOpaque())
    try #require(started == 0)
    threads.append(thread)
  }
  for thread in threads { pthread_join(thread, nil) }
  return slots.map { $0.report.withLock { $0 } }
}

@Suite("Two ends that flood each other")
struct FloodTests {
  @Test(
    "neither waits for ever, nothing is lost or out of order, and memory stays bounded",
    arguments: [(200_000, 40), (20_000, 4000), (40, 1 << 20)])
  func flood(frames: Int, payload: Int) throws {
    let there = try pipePair()
    let back = try pipePair()
    defer { for end in [there.read, there.write, back.read, back.write] { close(end) } }
    let size: @Sendable (Int) -> Int = { $0 % 16 == 0 ? payload : payload / 2 }
    let reports = try runBoth(
      FloodingEnd(input: back.read, output: there.write, frames: frames, payloadBytes: size),
      FloodingEnd(input: there.read, output: back.write, frames: frames, payloadBytes: size))
    for report in reports {
      #expect(report.error == nil)
      #expect(report.received == frames)
      #expect(report.inOrder)
      #expect(report.largestBuffer <= FrameDecoder.maximumCapacity)
      #expect(
        report.largestQueue <= 2 * OutboundQueue.maximumBytes + FrameHeader.size + FrameHeader.maximumBody)
    }
  }
}
