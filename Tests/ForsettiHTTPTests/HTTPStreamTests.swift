import Foundation
import Synchronization
import Testing

@testable import ForsettiHTTP

@Suite struct HTTPStreamTests {
  private static func server(_ streams: FedStream..., limit: Int = 16) throws -> RunningServer {
    try server(streams, limit: limit)
  }

  private static func server(_ streams: [FedStream], limit: Int) throws -> RunningServer {
    var limits = HTTPLimits()
    limits.streams = limit
    let left = Mutex(streams)
    return try RunningServer(limits: limits) { request in
      guard request.path == "/stream" else { return HTTPResponse(.ok, "plain") }
      let stream = left.withLock { $0.removeFirst() }
      return HTTPResponse(.ok, headers: ["Content-Type": "text/event-stream"], body: .stream(stream))
    }
  }

  private static let ask = "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n"

  @Test("pieces of a stream are sent as they come")
  func pieces() throws {
    let stream = try FedStream()
    let server = try Self.server(stream)
    let client = try server.connect()
    client.send(Self.ask)
    stream.feed("data: one\n\n")
    #expect(try client.read(until: "data: one\n\n").contains("text/event-stream"))
    stream.feed("data: two\n\n")
    _ = try client.read(until: "data: two\n\n")
    stream.cancel()
    // The last chunk: the stream has ended well.
    _ = try client.read(until: "0\r\n\r\n")
  }

  @Test("a stream that is not whole ends its connection without the mark of a whole body")
  func notWhole() throws {
    let server = try RunningServer { _ in HTTPResponse(.ok, headers: [:], body: .stream(BrokenStream())) }
    let text = try server.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(text.contains("Transfer-Encoding: chunked"))
    #expect(text.hasSuffix("half\r\n"))
  }

  @Test("a piece longer than the library's buffer comes whole")
  func longPiece() throws {
    let server = try RunningServer { _ in HTTPResponse(.ok, headers: [:], body: .stream(LongStream())) }
    let text = try server.exchange("GET / HTTP/1.0\r\nHost: x\r\n\r\n")
    #expect(text.hasSuffix(String(repeating: "x", count: 100_000) + "end"))
  }

  @Test("a stream is cancelled when the server stops, and the stop waits for nobody")
  func stopping() async throws {
    let stream = try FedStream()
    let server = try Self.server(stream)
    let client = try server.connect()
    client.send(Self.ask)
    stream.feed("data: one\n\n")
    _ = try client.read(until: "one")
    await server.stop()
    for await _ in stream.cancelled {}
  }

  @Test("an answer that is on its way when the server stops arrives")
  func answerAtTheEnd() async throws {
    let gate = try Gate()
    let asked = AsyncStream<Never>.makeStream()
    let server = try RunningServer { _ in
      asked.continuation.finish()
      gate.wait()
      return HTTPResponse(.ok, "whole")
    }
    let client = try server.connect()
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    for await _ in asked.stream {}
    async let stopped: Void = server.stop()
    gate.open()
    #expect(client.readToEnd().hasSuffix("whole"))
    await stopped
  }

  @Test("two hundred streams whose clients are gone give their places free, though nothing is sent on them")
  func gone() async throws {
    let streams = try (0..<200).map { _ in try FedStream() }
    let server = try Self.server(streams, limit: 10)
    for first in stride(from: 0, to: streams.count, by: 10) {
      let batch = streams[first..<first + 10]
      var clients: [RawClient] = []
      for stream in batch {
        let client = try server.connect()
        client.send(Self.ask)
        stream.feed("data: one\n\n")
        _ = try client.read(until: "data: one")
        clients.append(client)
      }
      clients.removeAll()
      for stream in batch { for await _ in stream.cancelled {} }
    }
  }

  @Test("a stream ends for a client that closes its half of the connection")
  func halfClosed() async throws {
    let stream = try FedStream()
    let server = try Self.server(stream)
    let client = try server.connect()
    client.send(Self.ask)
    stream.feed("data: one\n\n")
    _ = try client.read(until: "data: one")
    shutdown(client.socket, Int32(SHUT_WR))
    for await _ in stream.cancelled {}
    _ = client.readToEnd()
  }

  @Test("there are no more streams at once than the limit says, and other requests are served")
  func limit() async throws {
    let (stream, second) = (try FedStream(), try FedStream())
    let server = try Self.server(stream, second, limit: 1)
    let client = try server.connect()
    client.send(Self.ask)
    stream.feed("data: one\n\n")
    _ = try client.read(until: "one")
    #expect(try server.get("/stream").hasPrefix("HTTP/1.1 503"))
    for await _ in second.cancelled {}
    #expect(try server.get("/plain").hasSuffix("plain"))
  }
}

/// One long piece, then a short one.
private final class LongStream: HTTPStream {
  private let pieces = Mutex([[UInt8](repeating: 120, count: 100_000), Array("end".utf8)])
  func next() -> [UInt8]? { pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
  func cancel() {}
}

/// Says half of what it has.
private final class BrokenStream: HTTPStream {
  private let left = Mutex([Array("half".utf8)])
  let isWhole = false

  func next() -> [UInt8]? { left.withLock { $0.popLast() } }
  func cancel() {}
}
