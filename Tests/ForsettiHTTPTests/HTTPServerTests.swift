import CLinux
import ForsettiBlocking
import ForsettiCore
import Foundation
import Glibc
import Synchronization
import Testing

@testable import ForsettiHTTP

@Suite struct HTTPServerTests {
  /// Says what it was asked.
  private static let echo: HTTPServer.Handler = { request in
    let query = request.query.fields.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
    return HTTPResponse(
      .ok,
      "\(request.method) \(request.path) [\(query)] \(request.headers["X-Mark"] ?? "-") \(String(decoding: request.body, as: UTF8.self))"
    )
  }

  @Test("a handler sees method, path, query, headers and body, and its answer is sent")
  func request() throws {
    let server = try RunningServer(handler: Self.echo)
    let text = try server.exchange(
      "POST /a%20b?c=d HTTP/1.1\r\nHost: x\r\nx-mark: m\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
    )
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(text.hasSuffix("\r\n\r\nPOST /a b [c=d] m hello"))
    #expect(text.contains("Content-Type: text/plain; charset=utf-8\r\n"))
  }

  @Test("several requests come on one connection, one after the other or all at once")
  func several() throws {
    let server = try RunningServer(handler: Self.echo)
    let client = try server.connect()
    for name in ["/one", "/two"] {
      client.send("GET \(name) HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try client.read(until: "GET \(name)").hasPrefix("HTTP/1.1 200"))
    }
    let both =
      "GET /three HTTP/1.1\r\nHost: x\r\n\r\nGET /four HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    client.send(both)
    let text = client.readToEnd()
    #expect(text.contains("GET /three") && text.contains("GET /four"))
  }

  @Test("the answer to HEAD has no body")
  func head() throws {
    let server = try RunningServer(handler: Self.echo)
    let text = try server.exchange("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(text.hasSuffix("\r\n\r\n") && text.contains("Content-Length: "))
  }

  @Test("a chunked body is taken whole")
  func chunked() throws {
    let server = try RunningServer(handler: Self.echo)
    let text = try server.exchange(
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    )
    #expect(text.hasSuffix("abcde"))
  }

  @Test("an answer with a header that would break the line is a 500, and nothing of it is sent")
  func brokenHeader() throws {
    let server = try RunningServer { _ in
      HTTPResponse(.ok, headers: ["X-Bad": "a\r\nSet-Cookie: stolen"], body: Array("secret".utf8))
    }
    let text = try server.get("/")
    #expect(text.hasPrefix("HTTP/1.1 500") && !text.contains("stolen") && !text.contains("secret"))
  }

  @Test("a handler that waits holds up nobody else")
  func blockingHandler() throws {
    let gate = try Gate()
    let server = try RunningServer { request in
      if request.path == "/wait" { gate.wait() }
      return HTTPResponse(.ok, request.path)
    }
    let waiting = try server.connect()
    waiting.send("GET /wait HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(try server.get("/other").hasSuffix("/other"))
    gate.open()
    #expect(waiting.readToEnd().hasSuffix("/wait"))
  }

  @Test(
    "it serves on a unix socket that only its owner may connect to, and replaces one that was left behind")
  func unixSocket() async throws {
    let path = "/tmp/forsetti-http-\(UUID().uuidString)"
    defer { unlink(path) }
    let server = try RunningServer(.unix(path: path), handler: Self.echo)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try server.get("/u").contains("GET /u"))
    #expect(throws: SystemError.self) { _ = try HTTPListener(.unix(path: path)).number }
    await server.stop()
    #expect(try RunningServer(.unix(path: path), handler: Self.echo).get("/v").contains("GET /v"))
  }

  @Test("a descriptor that does not listen, or listens beyond this host, is refused")
  func inherited() throws {
    #expect(throws: SystemError.self) { _ = try HTTPListener(inheriting: open("/dev/null", O_RDONLY)).number }
    let everywhere = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(listen(everywhere, 1) == 0)
    #expect(throws: SystemError("take over descriptor \(everywhere)", EINVAL)) {
      _ = try HTTPListener(inheriting: everywhere).number
    }
  }

  @Test("a port that is taken is refused with its address")
  func taken() throws {
    let server = try RunningServer(handler: Self.echo)
    #expect(throws: SystemError("listen on \(server.address)", EADDRINUSE)) {
      _ = try HTTPListener(server.address).number
    }
  }

  @Test("a descriptor that becomes readable ends the run")
  func endingDescriptor() throws {
    let gate = try Gate()
    gate.open()
    let server = try HTTPServer { _ in HTTPResponse(.ok) }
    try server.run(on: HTTPListener(.loopback(port: 0)), until: gate.reader)
  }
}

/// Something that opens once.
final class Gate: Sendable {
  let reader: Int32
  private let writer: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(cl_pipe2(&ends, O_CLOEXEC) == 0)
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    close(writer)
  }

  func open() {
    var byte: UInt8 = 1
    write(writer, &byte, 1)
  }

  func wait() {
    var byte: UInt8 = 0
    read(reader, &byte, 1)
  }
}
