import ForsettiCore
import ForsettiHTTP

/// A request that was let in: who asks, for what, and when.
struct Call: Sendable {
  var request: ServerRequest
  /// What stands at the places of the route's braces, in order.
  var parameters: [String] = []
  /// The token it came with.
  var token: TokenBook.Token
  /// Milliseconds since 1970.
  var now: Int64
  /// How a list is to be given wrongly.
  var distortion: Fault?

  private static let bodyLimits = JSONLimits(
    bytes: 262_144, depth: 8, stringBytes: 4_096, arrayElements: 4_096)

  /// Every value of a query parameter.
  func values(_ name: String) -> [String] {
    request.query.fields.filter { $0.name == name }.map(\.value)
  }

  /// The parameter of the route at a place, as the ID of an inventory.
  func number(_ index: Int = 0) throws(APIFault) -> Int {
    guard let number = Int(parameters[index]) else {
      throw .notFound("\(parameters[index].quoted()) is no ID")
    }
    return number
  }

  /// Reads the body as JSON; what does not fit is answered 400.
  func body<Value>(
    _ read: (JSONCursor) throws(JSONFault) -> Value
  ) throws(APIFault) -> Value {
    do throws(JSONFault) {
      return try read(JSONCursor(JSONParser.parse(request.body, limits: Self.bodyLimits).root))
    } catch {
      throw APIFault(.badRequest, "JSON_PARSE_ERROR", error.reason, field: error.pointer)
    }
  }

  /// Which page is asked for.
  func page() throws(APIFault) -> Page {
    var page = Page()
    if let text = values("page").first {
      guard let index = Int(text), index >= 0 else { throw .invalid("page", "\(text.quoted()) is no page") }
      page.index = index
    }
    if let text = values("page-size").first {
      guard let size = Int(text), Page.sizes.contains(size) else {
        throw .invalid("page-size", "a page has 1 to \(Page.sizes.upperBound) records")
      }
      page.size = size
    }
    return page
  }

  /// The sections that are asked for, separated by commas or given one by one.
  func sections<Section: RawRepresentable<String> & Hashable>(
    among known: [Section], default usual: [Section]
  ) throws(APIFault) -> Set<Section> {
    let names = values("section").flatMap { $0.split(separator: ",").map(String.init) }
    if names.isEmpty { return Set(usual) }
    var sections: Set<Section> = []
    for name in names {
      if name == "ALL" { return Set(known) }
      guard let section = known.first(where: { $0.rawValue == name }) else {
        throw .invalid("section", "\(name.quoted()) is no section")
      }
      sections.insert(section)
    }
    return sections
  }
}
