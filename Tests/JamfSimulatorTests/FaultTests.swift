import ForsettiCore
import Testing

@testable import JamfSimulator

@Suite struct FaultTests {
  private let computers = "/api/v3/computers-inventory"

  private func client(_ faults: String) throws -> APIClient {
    APIClient(faults: try FaultSchedule.decode(Array("{\"faults\":[\(faults)]}".utf8)))
  }

  @Test("a rule lets so many pass, meets so many, and then all is well again") func counts() throws {
    var client = try client(
      #"{"path": "/api/v3/*", "fault": "status", "status": 503, "after": 1, "times": 2}"#)
    #expect((0..<5).map { _ in client.get(computers).status } == [200, 503, 503, 200, 200])
    #expect(client.get("/api/v1/buildings").status == 200)
  }

  @Test(
    "a rule is for a method where it names one, for a path and what is below, and for ever where it says 0")
  func matching() throws {
    var client = try client(
      #"{"method": "POST", "path": "/api/v2/mdm/blank-push", "fault": "status", "status": 500, "times": 0}"#)
    #expect(client.get("/api/v2/mdm/blank-push").status == 405)
    for _ in 0..<3 { #expect(client.send("POST", "/api/v2/mdm/blank-push").status == 500) }
    #expect(client.send("POST", "/api/v2/mdm/blank-push/x").status == 404)
  }

  @Test("the first rule that meets a request decides, and the others have seen it") func order() throws {
    var client = try client(
      #"{"path": "*", "fault": "status", "status": 500, "after": 1}, {"path": "*", "fault": "status", "status": 502, "times": 3}"#
    )
    // The log-in was the first of both.
    #expect(client.token == nil)
    #expect((0..<3).map { _ in client.get("/api/v1/auth").status } == [500, 502, 401])
  }

  @Test("each refusal has the body that Jamf gives it, and says when to come back") func statuses() throws {
    var client = try client(
      """
      {"path": "/a", "fault": "status", "status": 401}, {"path": "/b", "fault": "status", "status": 403},
      {"path": "/c", "fault": "status", "status": 429, "retryAfter": 7}
      """)
    #expect(client.get("/a").code == "INVALID_TOKEN")
    #expect(client.get("/b").code == "INVALID_PRIVILEGE")
    #expect(client.get("/c").served.response.headers["Retry-After"] == "7")
  }

  @Test("an answer comes late, in part, as other JSON or as a page for people") func distorted() throws {
    var client = try client(
      """
      {"path": "\(computers)", "fault": "slow", "milliseconds": 1500}, {"path": "\(computers)", "fault": "cut", "bytes": 9, "after": 1},
      {"path": "\(computers)", "fault": "wrongJSON", "after": 2}, {"path": "\(computers)", "fault": "html", "after": 3}
      """)
    let slow = client.get(computers)
    #expect(slow.served.delayMilliseconds == 1_500)
    #expect(slow.total == 120)
    #expect(client.get(computers).served.cutAfterBytes == 9)
    let wrong = client.get(computers)
    #expect(wrong.status == 200)
    #expect(wrong.total == nil)
    let page = client.get(computers)
    #expect(page.status == 200)
    #expect(page.served.response.headers["Content-Type"] == "text/html")
    #expect(page.json.isNull)
  }

  @Test("a list repeats a page, or changes its total each time") func lists() throws {
    var client = try client(
      #"{"path": "*/never", "fault": "html"}, {"path": "\#(computers)", "fault": "duplicatePage", "after": 1}, {"path": "\#(computers)", "fault": "changingTotal", "by": 3, "after": 2, "times": 2}"#
    )
    func page(_ index: Int) -> APIClient.Answer {
      client.get(computers, [("page", "\(index)"), ("page-size", "20")])
    }
    let first = page(0)
    #expect(JSONWriter.text(page(1).json) == JSONWriter.text(first.json))
    #expect([page(2).total, page(3).total, page(4).total] == [123, 126, 120])
  }

  private static let wrong: [(String, String)] = [
    (#"{"fault": "html"}"#, "/faults/0/path"), (#"{"path": "/"}"#, "/faults/0/fault"),
    (#"{"path": "/", "fault": "fire"}"#, "/faults/0/fault"),
    (#"{"path": "/", "fault": "status"}"#, "/faults/0/status"),
    (#"{"path": "/", "fault": "status", "status": 200}"#, "/faults/0/status"),
    (#"{"path": "/", "fault": "slow", "milliseconds": 0}"#, "/faults/0/milliseconds"),
    (#"{"path": "/", "fault": "cut"}"#, "/faults/0/bytes"),
    (#"{"path": "/", "fault": "html", "bytes": 3}"#, "/faults/0/bytes"),
    (#"{"path": "/", "fault": "html", "times": -1}"#, "/faults/0/times"),
    (#"{"path": "/", "fault": "html", "after": 1.5}"#, "/faults/0/after"), ("7", "/faults/0"),
  ]

  @Test("a schedule that is none is refused at its place", arguments: wrong)
  func refused(rule: String, pointer: String) {
    let fault = #expect(throws: JSONFault.self) {
      try FaultSchedule.decode(Array("{\"faults\":[\(rule)]}".utf8))
    }
    #expect(fault?.pointer == pointer)
    #expect(fault?.line == 1)
  }

  @Test("a schedule has its list, nothing beside it, and a bound") func bounds() {
    for text in ["{}", #"{"faults": [], "more": 1}"#, "[]", ""] {
      #expect(throws: JSONFault.self) { try FaultSchedule.decode(Array(text.utf8)) }
    }
    let many = Array(repeating: #"{"path":"/","fault":"html"}"#, count: FaultSchedule.limit + 1).joined(
      separator: ",")
    #expect(throws: JSONFault.self) { try FaultSchedule.decode(Array("{\"faults\":[\(many)]}".utf8)) }
  }
}

@Suite struct ControlTests {
  @Test("a test sees what was asked for, without headers and bodies, and may forget it") func journal() {
    var client = APIClient()
    _ = client.get("/api/v1/buildings", [("page", "0"), ("page-size", "5")])
    _ = client.get("/api/v1/nothing")
    let journal = client.get("/simulator/requests").json
    #expect(journal["count"]?.integerValue == 3)
    let lines = journal["requests"]?.elements?.map {
      "\($0["method"]?.stringValue ?? "") \($0["path"]?.stringValue ?? "") \($0["query"]?.stringValue ?? "") \($0["status"]?.integerValue ?? 0)"
    }
    #expect(
      lines == [
        "POST /api/v1/oauth/token  200", "GET /api/v1/buildings page=0&page-size=5 200",
        "GET /api/v1/nothing  404",
      ])
    #expect(client.send("DELETE", "/simulator/requests").status == 204)
    #expect(client.get("/simulator/requests").json["count"]?.integerValue == 0)
  }

  @Test("only the latest requests are kept, and all are counted") func bound() {
    var client = APIClient()
    for _ in 0..<(RequestJournal.limit + 10) { _ = client.get("/api/v1/auth") }
    let journal = client.get("/simulator/requests").json
    #expect(journal["count"]?.integerValue == Int64(RequestJournal.limit + 11))
    #expect(journal["requests"]?.elements?.count == RequestJournal.limit)
  }

  @Test("faults are set while the server runs, and a schedule that is none changes nothing") func faults() {
    var client = APIClient()
    let schedule = #"{"faults": [{"path": "/api/v1/auth", "fault": "status", "status": 500, "times": 0}]}"#
    #expect(client.send("PUT", "/simulator/faults", body: Array(schedule.utf8)).status == 204)
    #expect(client.send("PUT", "/simulator/faults", body: Array("{".utf8)).status == 400)
    #expect(client.get("/api/v1/auth").status == 500)
    #expect(client.send("PUT", "/simulator/faults", body: Array(#"{"faults": []}"#.utf8)).status == 204)
    #expect(client.get("/api/v1/auth").status == 200)
  }

  @Test("time is moved on: tokens end without anybody waiting") func clock() {
    var client = APIClient()
    #expect(client.send("POST", "/simulator/clock", [("seconds", "1199")]).status == 204)
    #expect(client.get("/api/v1/auth").status == 200)
    #expect(client.send("POST", "/simulator/clock", [("seconds", "1")]).status == 204)
    #expect(client.get("/api/v1/auth").status == 401)
    for seconds in ["0", "-5", "86401", "x", ""] {
      #expect(client.send("POST", "/simulator/clock", [("seconds", seconds)]).status == 400)
    }
    #expect(client.get("/simulator/nothing").status == 404)
  }
}
