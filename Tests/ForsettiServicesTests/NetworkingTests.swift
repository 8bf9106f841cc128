import ForsettiBlocking
import ForsettiCore
import ForsettiTestKit
import Foundation
import Synchronization
import Testing

@testable import ForsettiServices

/// `Tests/Python/http_server.py`, running.
final class TestServer: @unchecked Sendable {
  // @unchecked: a test reads lines from one task at a time.
  let program: ChildProgram
  let port: Int

  /// One for all tests that leave it as it is.
  static func shared() throws -> TestServer { try sharedResult.get() }
  private static let sharedResult = Result { try TestServer() }

  init(_ arguments: String...) throws {
    // The folder of the build is three below the checkout's root.
    let script = ChildProgram.folder + "/../../../Tests/Python/http_server.py"
    program = try ChildProgram("/usr/bin/env", ["python3", script] + arguments)
    port = try #require(program.line().flatMap { Int($0) })
  }

  /// The next line it says, waited for on a thread of its own: those of the tasks must go on meanwhile.
  func line() async throws -> String? {
    try await BlockingWorker(on: BlockingExecutor(name: "line")).run { self.program.line() }
  }

  /// Requests that may go to this server by any of these names, and where each leads.
  func networking(
    _ hosts: [String] = ["a.test"], schemes: [NetworkScheme] = [.http], lists: Bool = true,
    limits: (inout NetworkingRules) -> Void = { _ in }, pins: [String: String] = [:],
    authorities: String? = nil
  ) async throws -> any NetworkingService {
    var rules = NetworkingRules(allow: [
      NetworkTarget(
        hosts: hosts.compactMap(NetworkHost.init), schemes: schemes, ports: [port],
        methods: NetworkMethod.allCases,
        addresses: lists ? [AddressRange("127.0.0.1/32")].compactMap { $0 } : [])
    ])
    limits(&rules)
    let configured = rules
    return try await Scratch().services {
      $0.networkingRules = { _ in configured }
      if let authorities { $0.transport = try networkWorker { $0.authorities = authorities } }
      $0.networking.pinned = { host, port in ["\(host):\(port):\(pins[host] ?? "127.0.0.1")"] }
    }.networking(caller())
  }

  func url(_ path: String, host: String = "a.test", scheme: String = "http") -> String {
    "\(scheme)://\(host):\(port)\(path)"
  }
}

/// The kind of an error, for tables.
func kind(_ body: () async throws -> HTTPResponse) async -> String {
  do {
    return "\(try await body().status)"
  } catch {
    switch error as? ServiceError {
    case .serviceDenied(.policy, _): return "denied"
    case .failed(let code, _): return code
    case .invalidArgument(let name, _): return name
    case .tooLarge: return "too large"
    case .deadlineExceeded: return "deadline"
    case .cancelled: return "cancelled"
    default: return "\(error)"
    }
  }
}

@Suite struct NetworkingTests {
  private func echo(_ response: HTTPResponse) throws -> JSONValue {
    try JSONParser.parse(response.body, limits: JSONLimits()).root
  }

  private func headers(_ echo: JSONValue) -> [String: String] {
    let pairs = (echo["headers"]?.elements ?? []).compactMap { $0.elements?.compactMap(\.stringValue) }
    return Dictionary(pairs.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
  }

  @Test("a request arrives as it was sent, and the answer as it was given", arguments: NetworkMethod.allCases)
  func roundTrip(method: NetworkMethod) async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking()
    let hasBody = ![.get, .head].contains(method)
    let response = try await networking.data(
      HTTPRequest(
        method: method.rawValue, url: server.url("/echo?q=1#fragment"),
        headers: [HTTPField("X-One", "1"), HTTPField("X-Empty", ""), HTTPField("Authorization", "secret")],
        body: hasBody ? Array("body".utf8) : []))
    #expect(response.status == 200)
    #expect(response.url == server.url("/echo?q=1"))
    #expect(response.headers.contains(HTTPField("X-Answer", "yes")))
    #expect(response.headers.contains(HTTPField("X-Empty", "")))
    guard method != .head else { return #expect(response.body.isEmpty) }
    let said = try echo(response)
    #expect(said["method"]?.stringValue == method.rawValue)
    #expect(said["path"]?.stringValue == "/echo?q=1")
    #expect(said["body"]?.stringValue == (hasBody ? "body" : ""))
    let fields = headers(said)
    #expect(fields["x-one"] == "1")
    #expect(fields["x-empty"] == "")
    #expect(fields["authorization"] == "secret")
    #expect(fields["expect"] == nil && fields["accept-encoding"] == nil)
  }

  @Test(
    "what is not on the allow-list is denied before anything is sent",
    arguments: [
      "http://b.test:PORT/echo", "http://a.test/echo", "http://a.test:1/echo", "https://a.test:PORT/echo",
      "http://sub.a.test:PORT/echo", "http://a.test.evil:PORT/echo", "http://127.0.0.1:PORT/echo",
      "http://localhost:PORT/echo", "http://[::1]:PORT/echo", "http://2130706433:PORT/",
      "http://0x7f000001:PORT/",
      "http://0177.0.0.1:PORT/", "http://127.1:PORT/", "http://0:PORT/", "http://[::ffff:127.0.0.1]:PORT/",
      "http://a.test.:PORT/echo",
    ])
  func denied(url: String) async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking()
    let url = url.replacingOccurrences(of: "PORT", with: "\(server.port)")
    #expect(await kind { try await networking.data(HTTPRequest(url: url)) } == "denied")
  }

  @Test(
    "odd URLs are refused",
    arguments: [
      ("http://user@a.test:PORT/", "url"), ("http://user:pass@a.test:PORT/", "url"),
      ("http://:@a.test:PORT/", "url"),
      ("http://a.test:PORT@evil.test/", "url"), ("file:///etc/passwd", "denied"),
      ("ftp://a.test:PORT/", "denied"),
      ("gopher://a.test:PORT/", "denied"), ("dict://a.test:PORT/", "denied"), ("smb://a.test/", "denied"),
      ("//a.test:PORT/", "url"), ("/echo", "url"), ("a.test:PORT/echo", "url"), ("", "url"),
      ("http://", "url"),
      ("http:///", "url"), ("http://a.test:99999/", "url"), ("http://a.test:0/", "url"),
      ("http://a.test:PORT/a b", "url"),
      ("http://a.test:PORT/\r\nX: y", "url"), ("http://a.test:PORT/\0", "url"),
      ("http://\u{e9}.test:PORT/", "url"),
      ("http://[fe80::1%25lo]:PORT/", "url"), ("http://a%00.test:PORT/", "url"),
      ("http://a.test%2fevil:PORT/", "url"),
      ("http://a.test\\@evil:PORT/", "url"),
    ])
  func odd(url: String, expected: String) async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking()
    let url = url.replacingOccurrences(of: "PORT", with: "\(server.port)")
    #expect(await kind { try await networking.data(HTTPRequest(url: url)) } == expected)
  }

  @Test("a scheme that is missing is not guessed") func noScheme() throws {
    #expect(throws: NetworkURL.Fault.self) { try NetworkURL("a.test/echo") }
  }

  @Test(
    "a name that leads to an address that isn't listed is refused as it connects",
    arguments: [
      "127.0.0.1", "127.0.0.2", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
      "100.64.0.1",
      "224.0.0.1", "255.255.255.255", "[::1]", "[::]", "[fe80::1]", "[fd00::1]", "[::ffff:127.0.0.1]",
      "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[ff02::1]",
    ])
  func privateAddress(address: String) async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking(lists: false, pins: ["a.test": address])
    #expect(await kind { try await networking.data(HTTPRequest(url: server.url("/echo"))) } == "denied")
  }

  @Test("localhost by the system's own resolver is refused, unless its address is listed") func localhost()
    async throws
  {
    let server = try TestServer.shared()
    for (lists, expected) in [(false, "denied"), (true, "200")] {
      var rules = NetworkingRules(allow: [
        NetworkTarget(hosts: [.name("localhost")], schemes: [.http], ports: [server.port])
      ])
      if lists { rules.allow[0].addresses = ["127.0.0.0/8", "::1"].compactMap(AddressRange.init) }
      let configured = rules
      let networking = try await Scratch().services { $0.networkingRules = { _ in configured } }.networking(
        caller())
      let found = await kind {
        try await networking.data(HTTPRequest(url: server.url("/echo", host: "localhost")))
      }
      #expect(found == expected)
    }
  }

  @Test("an address that the list names as a host is listed") func listedHost() async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking(["127.0.0.1"], lists: false)
    for host in ["127.0.0.1", "2130706433", "0x7f.1", "017700000001"] {
      #expect(
        await kind { try await networking.data(HTTPRequest(url: server.url("/echo", host: host))) } == "200")
    }
  }

  @Test("a name that leads elsewhere the second time is refused the second time") func rebinding()
    async throws
  {
    let server = try TestServer.shared()
    let rules = NetworkingRules(allow: [
      NetworkTarget(
        hosts: [.name("a.test")], schemes: [.http], ports: [server.port],
        addresses: [AddressRange("127.0.0.1/32")].compactMap { $0 })
    ])
    let asked = Mutex(0)
    let services = try await Scratch().services {
      $0.networkingRules = { _ in rules }
      $0.networking.pinned = { host, port in
        let number = asked.withLock { asked in
          asked += 1
          return asked
        }
        return ["\(host):\(port):\(number == 1 ? "127.0.0.1" : "127.0.0.2")"]
      }
    }
    let networking = services.networking(caller())
    #expect(await kind { try await networking.data(HTTPRequest(url: server.url("/echo"))) } == "200")
    #expect(await kind { try await networking.data(HTTPRequest(url: server.url("/echo"))) } == "denied")
  }

  @Test(
    "every redirect is checked like the first request",
    arguments: [
      ("/echo", "200"), ("http://a.test:PORT/echo", "200"), ("//a.test:PORT/echo", "200"), ("echo", "200"),
      ("http://b.test:PORT/echo", "denied"), ("http://localhost:PORT/echo", "denied"),
      ("http://127.0.0.1:PORT/", "denied"), ("http://2130706433:PORT/", "denied"),
      ("http://a.test/", "denied"),
      ("https://a.test:PORT/", "denied"), ("file:///etc/passwd", "denied"), ("ftp://a.test:PORT/", "denied"),
      ("http://user@a.test:PORT/", "redirect"), ("http://inner.test:PORT/", "denied"), ("", "302"),
    ])
  func redirects(target: String, expected: String) async throws {
    let server = try TestServer.shared()
    // inner.test is on the list, and leads to an address that is not.
    let networking = try await server.networking(["a.test", "inner.test"], pins: ["inner.test": "127.0.0.3"])
    let to =
      target.replacingOccurrences(of: "PORT", with: "\(server.port)")
      .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let found = await kind { try await networking.data(HTTPRequest(url: server.url("/redirect?to=\(to)"))) }
    #expect(found == expected)
  }

  @Test("five redirects are followed, not six") func manyRedirects() async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking()
    #expect(await kind { try await networking.data(HTTPRequest(url: server.url("/circle"))) } == "redirects")
  }

  @Test(
    "a redirect keeps the method or makes it GET as RFC 9110 says",
    arguments: [
      (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
      (302, "PUT", "PUT"),
      (307, "POST", "POST"), (308, "PUT", "PUT"), (302, "GET", "GET"),
    ])
  func redirectMethods(status: Int, before: String, after: String) async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking()
    let hasBody = before != "GET"
    let response = try await networking.data(
      HTTPRequest(
        method: before, url: server.url("/redirect?status=\(status)&to=%2Fecho"),
        headers: [HTTPField("Content-Type", "text/plain")], body: hasBody ? [65] : []))
    let said = try echo(response)
    #expect(said["method"]?.stringValue == after)
    #expect(said["body"]?.stringValue == (after == before && hasBody ? "A" : ""))
    #expect((headers(said)["content-type"] == nil) == (after != before))
    #expect(response.url == server.url("/echo"))
  }

  @Test("credentials go no further than the host they were for") func redirectSecrets() async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking(["a.test", "b.test"])
    for (host, isKept) in [("a.test", true), ("b.test", false)] {
      let to = "http%3A%2F%2F\(host)%3A\(server.port)%2Fecho"
      let response = try await networking.data(
        HTTPRequest(
          url: server.url("/redirect?to=\(to)"),
          headers: [HTTPField("Authorization", "s"), HTTPField("cookie", "s"), HTTPField("X-Kept", "1")]))
      let fields = headers(try echo(response))
      #expect((fields["authorization"] != nil) == isKept)
      #expect((fields["cookie"] != nil) == isKept)
      #expect(fields["x-kept"] == "1")
    }
  }

  @Test(
    "header fields that forge a message are refused",
    arguments: [
      ("X\r\nY", "v"), ("X", "v\r\nY: z"), ("X", "v\n"), ("X", "\0"), ("", "v"), ("X Y", "v"), ("X:", "v"),
      ("Xé", "v"),
      ("Host", "evil"), ("content-length", "5"), ("Transfer-Encoding", "chunked"), ("Connection", "close"),
      ("Proxy-Authorization", "x"), ("Expect", "100-continue"), ("Upgrade", "h2c"),
      ("X", String(repeating: "v", count: 20_000)),
    ])
  func forgedHeaders(name: String, value: String) async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking()
    let request = HTTPRequest(url: server.url("/echo"), headers: [HTTPField(name, value)])
    #expect(await kind { try await networking.data(request) } == "headers")
  }

  @Test("methods that are none, and bodies where none belongs, are refused") func methods() async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking()
    for method in ["get", "CONNECT", "TRACE", "", "GET / HTTP/1.1\r\nX: y", "G\u{212a}T"] {
      #expect(
        await kind { try await networking.data(HTTPRequest(method: method, url: server.url("/echo"))) }
          == "method")
    }
    #expect(
      await kind { try await networking.data(HTTPRequest(url: server.url("/echo"), body: [1])) } == "body")
  }

  @Test(
    "bodies and header fields without end are cut off",
    arguments: ["/endless", "/endless-headers", "/size?n=1001"])
  func endless(path: String) async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking(limits: { $0.responseBytes = 1_000 })
    let expected = path == "/endless-headers" ? "headers" : "too large"
    #expect(await kind { try await networking.data(HTTPRequest(url: server.url(path))) } == expected)
    #expect(try await networking.data(HTTPRequest(url: server.url("/size?n=1000"))).body.count == 1_000)
  }

  /// The answer of `/size?n=BYTES`, as it comes to who asks for the part from an offset.
  private func part(
    _ bytes: Int, from offset: String?, _ networking: any NetworkingService, _ server: TestServer
  ) async throws -> HTTPResponse {
    try await networking.data(
      HTTPRequest(
        url: server.url("/size?n=\(bytes)"),
        headers: offset.map { [HTTPField("Forsetti-Body-Offset", $0)] } ?? []))
  }

  @Test("a body that is longer than a frame comes in parts of one digest, to who asks for parts alone")
  func parts() async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking(limits: { $0.responseBytes = 2_000_000 })
    let length = BodyPart.largest + 5
    let first = try await part(length, from: "0", networking, server)
    let rest = try await part(length, from: "\(BodyPart.largest)", networking, server)
    #expect(first.status == 200)
    #expect((first.body.count, rest.body.count) == (BodyPart.largest, 5))
    let whole = try #require(BodyPart(first.headers))
    #expect(whole.length == length)
    #expect(BodyPart(rest.headers) == whole)
    #expect(BodyPart(try await part(length + 1, from: "5", networking, server).headers) != whole)
    for end in [length, length + 1] {
      let nothing = try await part(length, from: "\(end)", networking, server)
      #expect(nothing.body.isEmpty && BodyPart(nothing.headers) == BodyPart(length: length, digest: ""))
    }
    let short = try await part(100, from: "0", networking, server)
    #expect(short.body.count == 100 && BodyPart(short.headers) == nil)
    #expect(await kind { try await part(length, from: nil, networking, server) } == "too large")
    #expect(await kind { try await part(2_000_001, from: "0", networking, server) } == "too large")
    for offset in ["", "-1", "x", "4194305"] {
      #expect(await kind { try await part(length, from: offset, networking, server) } == "headers")
    }
  }

  @Test("which part is meant is between the module and the supervisor") func partsStayHere() async throws {
    let server = try TestServer.shared()
    let response = try await server.networking().data(
      HTTPRequest(url: server.url("/echo"), headers: [HTTPField(BodyPart.offsetField, "0")]))
    #expect(headers(try echo(response))[BodyPart.offsetField] == nil)
  }

  @Test("the request's body is bounded") func requestBody() async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking(limits: { $0.requestBytes = 10 })
    let request = HTTPRequest(
      method: "POST", url: server.url("/echo"), body: [UInt8](repeating: 65, count: 11))
    #expect(await kind { try await networking.data(request) } == "too large")
  }

  @Test("a server that stops talking runs into the deadline", arguments: ["/slow", "/silent"])
  func slow(path: String) async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking(limits: { $0.timeoutMilliseconds = 200 })
    #expect(await kind { try await networking.data(HTTPRequest(url: server.url(path))) } == "deadline")
  }

  @Test("a slow request holds up no other, and can be cancelled") func concurrent() async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking()
    let slow = Task { await kind { try await networking.data(HTTPRequest(url: server.url("/silent"))) } }
    for _ in 0..<3 {
      #expect(await kind { try await networking.data(HTTPRequest(url: server.url("/echo"))) } == "200")
    }
    slow.cancel()
    #expect(await slow.value == "cancelled")
    #expect(await kind { try await networking.data(HTTPRequest(url: server.url("/echo"))) } == "200")
  }

  @Test("a hundred requests at once are all answered") func many() async throws {
    let server = try TestServer.shared()
    let networking = try await server.networking()
    let answers = await withTaskGroup(of: String.self) { group in
      for number in 0..<100 {
        group.addTask {
          await kind { try await networking.data(HTTPRequest(url: server.url("/size?n=\(number)"))) }
        }
      }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(answers == [String](repeating: "200", count: 100))
  }

  @Test("an interim answer's fields are not the answer's") func interim() async throws {
    let server = try TestServer.shared()
    let response = try await server.networking().data(HTTPRequest(url: server.url("/interim")))
    #expect(response.headers.contains { $0.name == "X-Late" })
    #expect(!response.headers.contains { $0.name == "X-Early" })
    #expect(response.body == Array("late".utf8))
  }

  @Test("nobody, and somebody who speaks no HTTP, are told apart") func unreachable() async throws {
    let server = try TestServer()
    let networking = try await server.networking()
    #expect(await kind { try await networking.data(HTTPRequest(url: server.url("/garbage"))) } == "network")
    server.program.kill()
    #expect(await kind { try await networking.data(HTTPRequest(url: server.url("/echo"))) } == "connect")
  }

  @Test("proxies of the environment are not asked") func proxy() async throws {
    // In a process of its own: the environment is everybody's.
    await #expect(processExitsWith: .success) {
      setenv("http_proxy", "http://127.0.0.1:1", 1)
      setenv("ALL_PROXY", "http://127.0.0.1:1", 1)
      let server = try TestServer()
      let networking = try await server.networking()
      let found = await kind { try await networking.data(HTTPRequest(url: server.url("/echo"))) }
      exit(found == "200" ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test("a certificate is checked against the authorities and the name") func tls() async throws {
    let scratch = try Scratch()
    let maker = try ChildProgram(
      "/usr/bin/env",
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2",
        "-subj", "/CN=a.test", "-addext", "subjectAltName=DNS:a.test", "-keyout", scratch("key"), "-out",
        scratch("certificate"),
      ])
    while maker.line() != nil {}
    let server = try TestServer(scratch("certificate"), scratch("key"))
    for (host, authorities, expected) in [
      ("a.test", scratch("certificate"), "200"), ("a.test", nil, "tls"),
      ("b.test", scratch("certificate"), "tls"),
    ] as [(String, String?, String)] {
      let networking = try await server.networking(
        ["a.test", "b.test"], schemes: [.https], authorities: authorities)
      let url = server.url("/echo", host: host, scheme: "https")
      #expect(await kind { try await networking.data(HTTPRequest(url: url)) } == expected)
    }
  }

  @Test("an answer from an address that isn't listed is none, whatever the worker says") func lyingWorker()
    async throws
  {
    struct Liar: HTTPTransport {
      let address: IPAddress?
      func perform(_ exchange: HTTPExchange, for owner: String) async -> Result<HTTPReply, HTTPFault> {
        guard let address else { return .failure(.failed("none")) }
        return .success(HTTPReply(status: 200, headers: [], address: address, body: Array(owner.utf8)))
      }
    }
    let rules = NetworkingRules(allow: [NetworkTarget(hosts: [.name("a.test")], schemes: [.http])])
    for (address, expected) in [("127.0.0.1", "denied"), ("fe80::1", "denied"), ("9.9.9.9", "200")] {
      let services = try await Scratch().services {
        $0.networkingRules = { _ in rules }
        $0.transport = Liar(address: IPAddress(address))
      }
      let networking = services.networking(caller())
      #expect(await kind { try await networking.data(HTTPRequest(url: "http://a.test/")) } == expected)
    }
  }

  @Test("requests go on the account of the module that makes them") func owner() async throws {
    struct Teller: HTTPTransport {
      func perform(_ exchange: HTTPExchange, for owner: String) async -> Result<HTTPReply, HTTPFault> {
        .failure(.workerLost(owner))
      }
    }
    let rules = NetworkingRules(allow: [NetworkTarget(hosts: [.name("a.test")], schemes: [.http])])
    let services = try await Scratch().services {
      $0.networkingRules = { _ in rules }
      $0.transport = Teller()
    }
    await #expect(throws: ServiceError.failed(code: "network_worker", message: "b.module")) {
      try await services.networking(caller("b.module")).data(HTTPRequest(url: "http://a.test/"))
    }
  }

  @Test("where there is no worker, that is said") func noWorker() async throws {
    let rules = NetworkingRules(allow: [NetworkTarget(hosts: [.name("a.test")], schemes: [.http])])
    let services = try await Scratch().services {
      $0.networkingRules = { _ in rules }
      $0.transport = NoTransport()
    }
    let networking = services.networking(caller())
    let found = await kind { try await networking.data(HTTPRequest(url: "http://a.test/")) }
    #expect(found == "network_worker")
  }

  @Test("without rules nothing is reached") func silence() async throws {
    let networking = try await Scratch().services().networking(caller())
    #expect(await kind { try await networking.data(HTTPRequest(url: "https://example.com/")) } == "denied")
  }
}
