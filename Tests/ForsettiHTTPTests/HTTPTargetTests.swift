import ForsettiCore
import Testing

@testable import ForsettiHTTP

@Suite struct HTTPTargetTests {
  @Test("a path and a query are decoded once")
  func decoded() throws {
    let target = try HTTPTarget("/m%C3%B6dul/a%20b%2525?x=1+2&y=%26%3D&flag&x=3&e=")
    #expect(target.path == "/mödul/a b%25")
    #expect(target.query["x"] == "1 2")
    #expect(target.query["y"] == "&=")
    #expect(target.query["flag"] == "" && target.query["e"] == "" && target.query["none"] == nil)
    #expect(target.query.fields.count == 5)
    #expect(try HTTPTarget("/").query.fields.isEmpty)
  }

  @Test(
    "a target that could mean another place is refused",
    arguments: [
      ("", .path(.relative)), ("*", .path(.relative)), ("http://host/", .path(.relative)),
      ("//a", .path(.emptySegment)), ("/a//b", .path(.emptySegment)), ("/../a", .path(.dotSegment)),
      ("/a/.", .path(.dotSegment)), ("/%2e%2e/a", .path(.encodedSeparator)),
      ("/a%2fb", .path(.encodedSeparator)), ("/a%5Cb", .path(.encodedSeparator)),
      ("/a\\b", .path(.badCharacter)),
      ("/a%00", .path(.badCharacter)), ("/a%0d%0aX", .path(.badCharacter)), ("/a%zz", .path(.badEscape)),
      ("/a%2", .path(.badEscape)), ("/a;b", .path(.badCharacter)), ("/%ff", .badEscape),
      ("/?a=%f", .badEscape),
      ("/?%c3=1", .badEscape), ("/?" + String(repeating: "a&", count: 65), .tooManyParameters),
    ] as [(String, HTTPTarget.Fault)])
  func refused(text: String, fault: HTTPTarget.Fault) {
    #expect(throws: fault) { try HTTPTarget(text) }
  }

  @Test("headers are found regardless of case, and one that is given twice is none")
  func headers() {
    var headers: HTTPHeaders = ["Host": "a", "X-Twice": "1", "x-twice": "2"]
    #expect(
      headers["hOST"] == "a" && headers["X-Twice"] == nil && headers.values(of: "X-TWICE") == ["1", "2"])
    headers["host"] = "b"
    #expect(headers.values(of: "Host") == ["b"])
    headers["X-Twice"] = nil
    #expect(headers.fields.map(\.name) == ["host"])
  }

  @Test("a cookie is found among others, and one that is sent twice is none")
  func cookies() {
    func cookie(_ text: String...) -> String? {
      HTTPRequest(path: "/", headers: HTTPHeaders(text.map { HTTPField("Cookie", $0) })).cookie("id")
    }
    #expect(cookie("a=1; id=x=y; b=2") == "x=y")
    #expect(cookie("a=1", "id=2") == "2")
    #expect(cookie("id=1; id=2") == nil && cookie("id=1", "id=2") == nil && cookie("xid=1") == nil)
  }
}

@Suite struct ListenAddressTests {
  @Test("an address of this host is read, and written as it is read")
  func read() {
    #expect(ListenAddress("127.0.0.1:8080") == .loopback(port: 8080))
    #expect(ListenAddress("localhost:0")?.description == "127.0.0.1:0")
    #expect(ListenAddress("unix:/run/x.sock")?.description == "unix:/run/x.sock")
  }

  @Test(
    "any other address is none",
    arguments: [
      "", "8080", ":8080", "0.0.0.0:80", "127.0.0.2:80", "example.org:80", "127.0.0.1", "127.0.0.1:",
      "127.0.0.1:-1",
      "127.0.0.1:65536", "127.0.0.1:+8", "127.0.0.1:٣", "unix:", "unix:relative", "unix:/a\u{0}b",
      "unix:/" + String(repeating: "a", count: 107),
    ])
  func refused(text: String) { #expect(ListenAddress(text) == nil) }
}

@Suite struct ConnectionTableTests {
  private let start = SuspendingClock.now

  @Test("a connection that is late is named once, and one that serves is never late")
  func overdue() {
    var table = ConnectionTable()
    table.set(.receiving(until: start + .seconds(1)), 3)
    table.set(.sending(since: start, until: start + .seconds(2)), 4)
    table.set(.unbounded, 5)
    #expect(table.takeOverdue(at: start) == [])
    #expect(table.takeOverdue(at: start + .seconds(1)) == [3])
    #expect(table.takeOverdue(at: start + .seconds(9)) == [4])
    #expect(table.takeOverdue(at: start + .seconds(9)) == [])
    #expect(table.count == 3)
  }

  @Test("at the end only answers are waited for, and at last not even they")
  func stopping() {
    var table = ConnectionTable()
    table.set(.receiving(until: start + .seconds(9)), 3)
    table.set(.sending(since: start, until: start + .seconds(9)), 4)
    table.set(.unbounded, 5)
    table.stop()
    #expect(table.takeOverdue(at: start) == [3])
    #expect(table.takeOverdue(at: nil).sorted() == [4, 5])
    #expect(table.takeOverdue(at: nil) == [])
  }

  @Test("a connection that was cut off begins nothing new until its number is another's")
  func ended() {
    var table = ConnectionTable()
    table.set(.receiving(until: start), 3)
    #expect(table.takeOverdue(at: start) == [3])
    table.set(.receiving(until: start), 3)
    #expect(table.takeOverdue(at: start) == [])
    table.remove(3)
    table.set(.receiving(until: start), 3)
    #expect(table.takeOverdue(at: start) == [3])
  }

  @Test("the place goes from whoever has waited for longest for a request, then from whoever reads no answer")
  func places() {
    var table = ConnectionTable()
    let later = start + .seconds(1)
    table.set(.sending(since: start, until: start), 3)
    // It has only begun: whoever reads it may not be cut off.
    table.set(.sending(since: later, until: start), 9)
    table.set(.receiving(until: start), 4)
    table.set(.receiving(until: start + .seconds(2)), 5)
    table.set(.receiving(until: start + .seconds(1)), 6)
    table.set(.unbounded, 7)
    #expect(
      table.takesOneMore(limit: 7, at: later) && table.takeOneTooMany(limit: 6, butNot: 7, at: later) == nil)
    for expected: Int32 in [4, 6, 5, 3] {
      let limit = table.count
      #expect(table.takesOneMore(limit: limit, at: later))
      // The newcomer keeps what it has just got.
      table.set(.receiving(until: start - .seconds(1)), 8)
      #expect(table.takeOneTooMany(limit: limit, butNot: 8, at: later) == expected)
      // Nobody else comes until that one has left.
      #expect(!table.takesOneMore(limit: limit, at: later))
      table.remove(8)
      table.remove(expected)
    }
    #expect(!table.takesOneMore(limit: 2, at: later))
    table.set(.receiving(until: start), 8)
    #expect(
      table.takeOneTooMany(limit: 2, butNot: 8, at: later) == nil && !table.takesOneMore(limit: 2, at: later))
    // Nobody could give a place when it came: once somebody can, one does, and one alone.
    table.set(.receiving(until: start + .seconds(1)), 7)
    #expect(table.takeOneTooMany(limit: 2, at: later) == 8)
    #expect(table.takeOneTooMany(limit: 2, at: later) == nil)
  }

  @Test("a connection that was cut off stays so, and nothing begins on it")
  func cutOff() throws {
    var table = ConnectionTable()
    table.set(.receiving(until: start), 3)
    #expect(table.takeOverdue(at: start) == [3])
    let isSet = table.set(.unbounded, 3)
    #expect(!isSet && table.phases[3] == .ended)
    let begins = (table.add(try FedStream(), on: 3, limit: 10), table.add(try FedStream(), on: 4, limit: 10))
    #expect(begins == (false, true))
  }
}
