import ForsettiCore
import Foundation
import Glibc
import Testing

@testable import ForsettiHTTP

/// What clients send that a server must not fall over.
@Suite struct HTTPLimitTests {
  private static let answer: HTTPServer.Handler = { HTTPResponse(.ok, "\($0.body.count) bytes") }

  private static func limits(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
    var limits = HTTPLimits()
    change(&limits)
    return limits
  }

  @Test("a body that says it is too long is refused before it is sent")
  func declaredBody() throws {
    let server = try RunningServer(limits: Self.limits { $0.bodyBytes = 100 }, handler: Self.answer)
    let head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: "
    #expect(try server.exchange(head + "101\r\n\r\n").hasPrefix("HTTP/1.1 413"))
    #expect(try server.exchange(head + "99999999999999999999999\r\n\r\n").hasPrefix("HTTP/1.1 4"))
    #expect(try server.exchange(head + "-1\r\n\r\n").hasPrefix("HTTP/1.1 400"))
    #expect(
      try server.exchange(head + "100\r\n\r\n" + String(repeating: "x", count: 100)).hasSuffix("100 bytes"))
  }

  @Test("a body that turns out too long is refused")
  func chunkedBody() throws {
    let server = try RunningServer(limits: Self.limits { $0.bodyBytes = 100 }, handler: Self.answer)
    let chunk = "40\r\n" + String(repeating: "x", count: 64) + "\r\n"
    let text = try server.exchange(
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n\(chunk)\(chunk)0\r\n\r\n"
    )
    #expect(text.hasPrefix("HTTP/1.1 413"))
  }

  @Test("headers that are too long are refused")
  func longHeaders() throws {
    let server = try RunningServer(handler: Self.answer)
    let long = String(repeating: "x", count: 100_000)
    #expect(try server.exchange("GET / HTTP/1.1\r\nHost: x\r\nX: \(long)\r\n\r\n").hasPrefix("HTTP/1.1 4"))
    #expect(try server.exchange("GET /\(long) HTTP/1.1\r\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 4"))
    let many = (0..<10_000).map { "X\($0): y\r\n" }.joined()
    #expect(try server.exchange("GET / HTTP/1.1\r\nHost: x\r\n\(many)\r\n").hasPrefix("HTTP/1.1 4"))
    #expect(try server.get("/").hasSuffix("0 bytes"))
  }

  @Test(
    "what is no request, or could be read as two, is refused",
    arguments: [
      "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
      "GET /../etc HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
    ])
  func refused(text: String) throws {
    let server = try RunningServer(handler: { _ in HTTPResponse(.ok, "reached") })
    let closing = text.replacingOccurrences(of: "\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
    #expect(!(try server.exchange(closing).contains("reached")))
  }

  @Test("half a request is cut off when its time is over, byte after byte as it may come")
  func halfRequest() throws {
    let server = try RunningServer(limits: Self.limits { $0.requestMilliseconds = 100 }, handler: Self.answer)
    let silent = try server.connect()
    let half = try server.connect()
    half.send("GET / HTTP/1.1\r\nHost: x\r\n")
    let body = try server.connect()
    body.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345")
    #expect(!silent.readToEnd().contains("200") && !half.readToEnd().contains("200"))
    #expect(!body.readToEnd().contains("200"))
    #expect(try server.get("/").hasSuffix("0 bytes"))
  }

  @Test("an answer that nobody reads is cut off when its time is over")
  func unreadAnswer() async throws {
    let server = try RunningServer(
      limits: Self.limits {
        $0.responseMilliseconds = 100; $0.connections = 1
      }
    ) {
      request in
      HTTPResponse(.ok, body: [UInt8](repeating: 120, count: request.path == "/big" ? 32 << 20 : 1))
    }
    let client = try server.connect()
    client.send("GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
    // Its place is the only one.
    #expect(try server.get("/").hasSuffix("\r\n\r\nx"))
    _ = client.socket
  }

  @Test("connections beyond the limit wait until one ends")
  func connections() throws {
    let server = try RunningServer(limits: Self.limits { $0.connections = 2 }, handler: Self.answer)
    var held: [RawClient] = []
    for _ in 0..<2 {
      let client = try server.connect()
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = try client.read(until: "0 bytes")
      held.append(client)
    }
    let third = try server.connect()
    third.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    var polled = pollfd(fd: third.socket, events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 0) == 0)
    held.removeLast()
    #expect(third.readToEnd().hasSuffix("0 bytes"))
  }

  @Test("a server that is stopped amid garbage ends", arguments: 1...30)
  func stoppedAmidGarbage(round: Int) async throws {
    let server = try RunningServer(handler: Self.answer)
    var clients: [RawClient] = []
    for _ in 0..<50 {
      let client = try server.connect()
      client.send("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n")
      clients.append(client)
    }
    await server.stop()
    for client in clients { _ = client.readToEnd() }
  }

  @Test("a thousand connections of garbage leave no descriptor and stop nobody", arguments: [1, 2, 3])
  func garbage(seed: UInt64) throws {
    let server = try RunningServer(handler: Self.answer)
    #expect(try server.get("/").hasSuffix("0 bytes"))
    var random = SplitMix(state: seed)
    let heads = [
      "GET / HTTP/1.1\r\nHost: x\r\n", "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n", "",
    ]
    for _ in 0..<1_000 {
      let client = try server.connect()
      let length = Int.random(in: 0...600, using: &random)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      client.send(Array(heads[Int.random(in: 0..<3, using: &random)].utf8) + bytes)
    }
    #expect(try server.get("/").hasSuffix("0 bytes"))
  }
}

/// Numbers that look random and are the same at every run (Steele et al., 2014).
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
