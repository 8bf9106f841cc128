import ForsettiBlocking
import ForsettiControlClient
import ForsettiCore
import ForsettiHTTP

/// What the pages ask of the supervisor: each a path, and the operations of the control socket behind it.
struct Questions {
  let link: SupervisorLink

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    do throws(ControlClientError) {
      return try answered(request) ?? .failure(.notFound, "nothing is asked this way")
    } catch { return HTTPResponse(error) }
  }

  private func answered(_ request: HTTPRequest) throws(ControlClientError) -> HTTPResponse? {
    let module = request.query["module"]
    switch request.path {
    case "/api/status":
      let asked = JSONValue.object(omittingAbsent: [("module", module.map { .string($0) })])
      return .json(.ok, text: try link.ask("overview", asked).text(items: "modules"))
    case "/api/health": return .json(.ok, try link.ask("health").answer)
    case "/api/module":
      return .json(.ok, try link.ask("module", .record(["module": .string(module)])).answer)
    case "/api/explain":
      return .json(.ok, try link.ask("explain", .record(["module": .string(module)])).answer)
    case "/api/entitlements": return .json(.ok, text: try link.ask("entitlements").text(items: "modules"))
    case "/api/secrets": return .json(.ok, text: try link.ask("secrets").text(items: "secrets"))
    case "/api/surface": return .json(.ok, try link.ask("surface").answer)
    case "/api/crashes": return .json(.ok, text: try link.ask("crashes").list)
    case "/api/crash":
      return .json(.ok, try link.ask("crash", .record(["report": .string(request.query["report"])])).answer)
    case "/api/live": return try Self.stream { () throws(SystemError) in try FiguresStream(link) }
    case "/api/logs":
      let asked = JSONValue.object(omittingAbsent: [
        ("module", module.map { .string($0) }), ("count", .integer(200)), ("follows", .bool(true)),
      ])
      return .stream(try FollowStream(link, "logs", asked, as: "log"))
    case "/api/events":
      let types = request.query.fields.filter { $0.name == "type" }.map { JSONValue.string($0.value) }
      let asked = JSONValue.record(["types": .array(types)])
      return .stream(try FollowStream(link, "events", asked, as: "event"))
    default: return nil
    }
  }

  private static func stream(
    _ make: () throws(SystemError) -> any HTTPStream
  ) throws(ControlClientError) -> HTTPResponse {
    do throws(SystemError) { return .stream(try make()) } catch {
      throw .unreachable(error.call, errno: error.errno)
    }
  }
}

extension HTTPResponse {
  fileprivate static func stream(_ stream: any HTTPStream) -> HTTPResponse {
    HTTPResponse(.ok, headers: ["Content-Type": "text/event-stream"], body: .stream(stream))
  }
}
