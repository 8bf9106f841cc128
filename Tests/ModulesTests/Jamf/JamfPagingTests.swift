import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@MainActor @Suite("Lists in pages") struct JamfPagingTests {
  /// A list of records whose IDs are their places, given in pages as Jamf Pro gives them.
  private static func list(
    of count: Int, total: Int?, cap: Int = .max, largest: Int = .max
  ) -> ScriptedAPI {
    ScriptedAPI { request throws(ServiceError) in
      let page = request.parameter("page").flatMap { Int($0) } ?? -1
      let asked = request.parameter("page-size").flatMap { Int($0) } ?? -1
      guard asked <= largest else { throw .tooLarge(limit: 983_040) }
      let size = min(asked, cap)
      let items = (min(page * size, count)..<min((page + 1) * size, count)).map {
        JSONValue.object([("id", .string("\($0)"))])
      }
      let body = JSONValue.object(
        omittingAbsent: [("results", .array(items)), ("totalCount", total.map { .integer($0) })])
      return APIResponse(status: 200, body: JSONWriter.bytes(body))
    }
  }

  private struct Run: Sendable {
    var ids: [Int] = []
    var indices: [Int] = []
    var failure: JamfFailure?
  }

  private func read(
    _ api: ScriptedAPI, pageSize: Int = 200, firstPage: Int? = nil, stopAfter: Int = .max
  ) async -> Run {
    var run = Run()
    do throws(JamfFailure) {
      try await JamfClient(api: api).pages(
        "/api/v1/list", [("sort", "id:asc")], pageSize: pageSize, firstPage: firstPage
      ) { page in
        run.ids += page.items.compactMap { $0["id"]?.stringValue.flatMap { Int($0) } }
        run.indices.append(page.index)
        return run.indices.count < stopAfter
      }
    } catch { run.failure = error }
    return run
  }

  private struct Case: Sendable {
    var count: Int
    var total: Int?
    var cap = Int.max
    var largest = Int.max
    var requests: Int
  }

  private nonisolated static let cases: [Case] = [
    Case(count: 0, total: 0, requests: 1), Case(count: 0, total: nil, requests: 1),
    Case(count: 20, total: nil, requests: 1), Case(count: 199, total: nil, requests: 1),
    Case(count: 200, total: 200, requests: 1), Case(count: 200, total: nil, requests: 2),
    Case(count: 400, total: 400, requests: 2), Case(count: 450, total: nil, requests: 3),
    Case(count: 10_000, total: 10_000, requests: 50),
    // The server gives no more than 100 at once.
    Case(count: 250, total: 250, cap: 100, requests: 3),
    // An answer of more than 60 records is too large: 200, 100, 50 are tried.
    Case(count: 125, total: 125, largest: 60, requests: 5),
    Case(count: 3, total: 3, largest: 1, requests: 10),
  ]

  @Test("a list is read whole, each record once, with no request too many", arguments: cases.indices)
  func whole(index: Int) async {
    let one = Self.cases[index]
    let api = Self.list(of: one.count, total: one.total, cap: one.cap, largest: one.largest)
    let run = await read(api)
    #expect(run.failure == nil)
    #expect(run.ids == Array(0..<one.count))
    #expect(run.indices == Array(0..<run.indices.count))
    #expect(api.requests.count == one.requests)
    #expect(api.requests.allSatisfy { $0.parameter("sort") == "id:asc" })
  }

  private nonisolated static let growth: [(Int, Int, Int, [String])] = [
    (1_000, 50, .max, ["50", "50", "100", "200", "200", "200", "200"]), (30, 50, .max, ["50"]),
    (700, 30, .max, ["30", "30", "60", "120", "120", "120", "120", "200"]),
    (450, 900, .max, ["200", "200", "200"]),
    // The server gives no more than 60 at once, so the grown page is another than was meant.
    (300, 50, 60, ["50", "50", "100", "50", "50", "50", "50"]),
  ]

  @Test("after a small first page the pages grow, each record once", arguments: growth)
  func growth(count: Int, first: Int, cap: Int, sizes: [String]) async {
    let api = Self.list(of: count, total: count, cap: cap)
    let run = await read(api, firstPage: first)
    #expect(run.failure == nil)
    #expect(run.ids == Array(0..<count))
    #expect(api.requests.compactMap { $0.parameter("page-size") } == sizes)
  }

  @Test("a page that came before is known again when larger ones follow") func duplicate() async {
    let list = Self.list(of: 300, total: 300)
    let api = ScriptedAPI { request throws(ServiceError) in
      guard request.parameter("page-size") == "100" else { return try list.answer(request) }
      let query = [HTTPField("page", "0"), HTTPField("page-size", "100")]
      return try list.answer(APIRequest(path: request.path, query: query))
    }
    let run = await read(api, firstPage: 50)
    #expect(run.failure == .listChanged("the same page came twice."))
    #expect(run.ids == Array(0..<100))
  }

  @Test("where no total is said the pages stay small") func growthWithoutTotal() async {
    let api = Self.list(of: 170, total: nil)
    let run = await read(api, firstPage: 50)
    #expect(run.ids == Array(0..<170))
    #expect(api.requests.compactMap { $0.parameter("page-size") } == ["50", "50", "50", "50"])
  }

  @Test("nothing more is asked once somebody has had enough") func enough() async {
    let api = Self.list(of: 1_000, total: 1_000)
    let run = await read(api, stopAfter: 2)
    #expect(run.ids.count == 400)
    #expect(api.requests.count == 2)
  }

  @Test("a size out of bounds is brought within them", arguments: [(0, "1"), (-7, "1"), (9_999, "2000")])
  func sizes(asked: Int, sent: String) async {
    let api = Self.list(of: 1, total: 1)
    _ = await read(api, pageSize: asked)
    #expect(api.requests.first?.parameter("page-size") == sent)
  }

  @Test("a single record that is too large is a failure") func largest() async {
    #expect(await read(Self.list(of: 3, total: 3, largest: 0)).failure == .tooLarge)
  }

  @Test("a page smaller in the middle of the list is gone on from where it ended") func middle() async {
    let api = ScriptedAPI { request throws(ServiceError) in
      let page = request.parameter("page").flatMap { Int($0) } ?? 0
      let size = request.parameter("page-size").flatMap { Int($0) } ?? 1
      guard page == 0 || size <= 30 else { throw .tooLarge(limit: 1) }
      let items = (page * size..<min((page + 1) * size, 400)).map {
        JSONValue.object([("id", .string("\($0)"))])
      }
      return APIResponse(
        status: 200,
        body: JSONWriter.bytes(.object([("results", .array(items)), ("totalCount", .integer(400))])))
    }
    let run = await read(api)
    #expect(run.failure == nil)
    #expect(run.ids == Array(0..<400))
  }

  private func pages(_ bodies: [String]) -> ScriptedAPI {
    ScriptedAPI { request throws(ServiceError) in
      let page = request.parameter("page").flatMap { Int($0) } ?? 0
      return APIResponse(status: 200, body: Array(bodies[min(page, bodies.count - 1)].utf8))
    }
  }

  @Test("a total that changes, a page that comes twice and a list that ends early are told")
  func changed() async {
    let first = #"{"totalCount": 4, "results": [{"id": 1}, {"id": 2}]}"#
    let lists = [
      [first, #"{"totalCount": 5, "results": [{"id": 3}, {"id": 4}]}"#], [first, first],
      [first, #"{"totalCount": 4, "results": []}"#],
    ]
    for list in lists {
      let run = await read(pages(list), pageSize: 2)
      guard case .listChanged = run.failure else {
        Issue.record("\(list): \(String(describing: run.failure))")
        continue
      }
    }
  }

  @Test("records without an ID are told apart by all that they hold") func nameless() async {
    let bodies = ["a", "b", "b"].map { #"[{"text": "\#($0)"}, {"text": "\#($0)"}]"# }
    let run = await read(pages(bodies), pageSize: 2)
    #expect(run.indices == [0, 1])
    #expect(run.failure == .listChanged("the same page came twice."))
  }

  @Test("a list without end is ended") func endless() async {
    let api = ScriptedAPI { request throws(ServiceError) in
      let page = request.parameter("page") ?? ""
      let items = (0..<2_000).map { JSONValue.object([("id", .string("\(page)-\($0)"))]) }
      return APIResponse(status: 200, body: JSONWriter.bytes(.array(items)))
    }
    let run = await read(api, pageSize: 2_000)
    #expect(run.failure == .beyondLimit(.records("/api/v1/list")))
    #expect(api.requests.count == JamfPaging.recordLimit / 2_000)
  }

  private nonisolated static let shapes: [(String, Int, Int?)] = [
    (#"{"results": [{}], "totalCount": 9}"#, 1, 9), (#"{"records": [{}, {}], "total": 7}"#, 2, 7),
    (#"{"items": [], "page": {"totalElements": 5}}"#, 0, 5), (#"{"devices": [{}]}"#, 1, nil),
    (#"{"data": [{}], "totalCount": null}"#, 1, nil), ("[{}, {}, {}]", 3, nil),
  ]

  @Test("a page is read in every shape that Jamf Pro gives one", arguments: shapes)
  func shape(text: String, items: Int, total: Int?) throws {
    let page = try JamfPage(JSONParser.parse(Array(text.utf8)).root, index: 0)
    #expect(page.items.count == items)
    #expect(page.total == total)
  }

  @Test(
    "what is no page is refused",
    arguments: [
      "{}", "7", "null", #"{"results": {}}"#, #"{"data": ["unexpected"]}"#, #"{"results": [{}, null]}"#,
      #"{"results": [], "totalCount": -1}"#,
      #"{"results": [], "totalCount": 1e300}"#, #"{"results": [], "totalCount": "many"}"#,
      #"{"results": [], "totalCount": 9223372036854775807}"#,
    ])
  func noPage(text: String) throws {
    let json = try JSONParser.parse(Array(text.utf8)).root
    #expect(throws: JamfFailure.self) { try JamfPage(json, index: 0) }
  }
}
