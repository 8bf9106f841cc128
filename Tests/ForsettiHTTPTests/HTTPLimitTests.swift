import ForsettiCore
import ForsettiTestKit
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

  /// A request of exactly so many bytes of line and headers, by a header of that name.
  private static func request(_ name: String, headBytes: Int, headers: String = "") -> String {
    let head = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(headers)\(name): "
    return head + String(repeating: "x", count: headBytes - head.utf8.count - 4) + "\r\n\r\n"
  }

  @Test("a line and headers of 16 KiB are taken, and one byte more is not", arguments: ["X", "Cookie"])
  func headBytes(name: String) throws {
    let server = try RunningServer(handler: Self.answer)
    let limit = HTTPLimits().headerBytes
    #expect(try server.exchange(Self.request(name, headBytes: limit)).hasPrefix("HTTP/1.1 200"))
    #expect(try server.exchange(Self.request(name, headBytes: limit + 1)).hasPrefix("HTTP/1.1 431"))
  }

  @Test("as many headers as there may be are taken, whatever their length, and one more is not")
  func headerFields() throws {
    let server = try RunningServer(handler: Self.answer)
    let limits = HTTPLimits()
    // Beside these there are Host, Connection and the one that fills the rest.
    let most = (0..<limits.headerFields - 3).map { "X\($0): y\r\n" }.joined()
    let full = Self.request("Cookie", headBytes: limits.headerBytes, headers: most)
    #expect(try server.exchange(full).hasPrefix("HTTP/1.1 200"))
    let oneMore = Self.request("Cookie", headBytes: limits.headerBytes, headers: most + "Y: y\r\n")
    #expect(try server.exchange(oneMore).hasPrefix("HTTP/1.1 431"))
  }

  @Test("a target of 16 KiB is within the line and headers or not, and a longer one is refused as such")
  func targetBytes() throws {
    let server = try RunningServer(handler: Self.answer)
    let rest = "GET  HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8.count
    func get(_ count: Int) throws -> Substring {
      let target = "/?" + String(repeating: "x", count: count - 2)
      return try server.exchange("GET \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").prefix(12)
    }
    let limit = HTTPLimits().headerBytes
    #expect(try get(limit - rest) == "HTTP/1.1 200" && get(limit - rest + 1) == "HTTP/1.1 431")
    #expect(try get(limit) == "HTTP/1.1 431" && get(limit + 1) == "HTTP/1.1 414")
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
  func unreadAnswer() throws {
    let path = "/tmp/forsetti-http-\(UUID().uuidString)"
    defer { unlink(path) }
    let size = 32 << 20
    let server = try RunningServer(
      .unix(path: path), limits: Self.limits { $0.responseMilliseconds = 100 },
      handler: { _ in HTTPResponse(.ok, body: [UInt8](repeating: 120, count: size)) })
    let client = try server.connect()
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    // A unix socket tells of its end before what is left on it is read.
    var polled = pollfd(fd: client.socket, events: HTTPService.isGone, revents: 0)
    #expect(poll(&polled, 1, -1) == 1)
    #expect(client.readToEnd().utf8.count < size)
  }

  @Test("connections beyond the limit wait while all others are being served")
  func connections() throws {
    let (entered, gate) = (try Gate(), try Gate())
    let server = try RunningServer(limits: Self.limits { $0.connections = 2 }) { request in
      if request.path == "/wait" {
        entered.open()
        gate.wait()
      }
      return HTTPResponse(.ok, "served")
    }
    let held = try (0..<2).map { _ in try server.connect() }
    for client in held { client.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n") }
    for _ in held { entered.wait() }
    let third = try server.connect()
    third.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    var polled = pollfd(fd: third.socket, events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 0) == 0)
    gate.open()
    // One of the two has its answer, and gives its place.
    #expect(third.readToEnd().hasSuffix("served"))
    gate.open()
    for client in held { _ = try client.read(until: "served") }
  }

  /// What a crowd says, and how many they are.
  private static let silences = [
    ("", 1_000), ("GET / HTTP/1.1\r\nHost: x\r\n", 1_000),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1234", 1_000),
    ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", 1_000), ("GET /big HTTP/1.1\r\nHost: x\r\n\r\n", 100),
  ]

  @Test(
    "a thousand connections that say nothing, or not enough, or read nothing keep nobody out",
    .timeLimit(.minutes(2)), arguments: silences)
  func silentCrowd(text: String, count: Int) throws {
    let server = try RunningServer(
      limits: Self.limits { $0.connections = 24 },
      handler: {
        HTTPResponse(.ok, body: [UInt8](repeating: 120, count: $0.path == "/big" ? 4 << 20 : 1))
      })
    var crowd: [RawClient] = []
    for _ in 0..<count {
      let client = try server.connect()
      client.send(text)
      crowd.append(client)
    }
    for _ in 0..<10 { #expect(try server.get("/").hasSuffix("\r\n\r\nx")) }
    #expect(crowd.count == count)
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
    var random = SeededGenerator(seed: seed)
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
