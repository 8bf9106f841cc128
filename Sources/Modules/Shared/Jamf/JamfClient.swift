internal import ForsettiModuleKit

/// Requests to Jamf Pro through the api role; features have no other way.
@MainActor
struct JamfClient {
  private let api: (any APIService)?

  /// How long a request may take. Jamf Service waits out a limit of Jamf Pro's meanwhile.
  private static let timeout = Duration.seconds(120)

  /// Asks in the name of a module.
  init(context: ForsettiContext) { self.init(api: context.services(timeout: Self.timeout).api) }

  /// Asks a provider of the api role, where there is one.
  init(api: (any APIService)?) { self.api = api }

  /// The answer's JSON, null where it has no body.
  /// - Parameter path: with its leading slash, such as `/api/v3/computers-inventory`.
  func get(_ path: String, _ query: [(String, String)] = []) async throws(JamfFailure) -> JSONValue {
    try await send("GET", path, query: query)
  }

  /// The JSON of an answer that may be longer than one frame carries, such as a list that Jamf Pro gives without pages. It
  /// is asked for part by part, and from the beginning where it changed meanwhile.
  func whole(_ path: String) async throws(JamfFailure) -> JSONValue {
    var parts = JamfParts()
    while true {
      guard !Task.isCancelled else { throw .cancelled }
      let request = Self.request("GET", path, partFrom: parts.offset)
      if let answer = try parts.take(try await perform(request)) {
        return try JamfAnswer.json(answer, of: path)
      }
    }
  }

  /// Sends a request and gives the answer's JSON, null where it has no body.
  func send(
    _ method: String, _ path: String, query: [(String, String)] = [], json: JSONValue? = nil
  ) async throws(JamfFailure) -> JSONValue {
    let response = try await perform(Self.request(method, path, query: query, json: json))
    return try JamfAnswer.json(response, of: path)
  }

  /// Sends a change that is answered with the whole of what was changed, and gives that; nothing where it is longer than
  /// one frame carries: the change was made, and what it made is to be read.
  func change(_ method: String, _ path: String, json: JSONValue) async throws(JamfFailure) -> JSONValue? {
    let response = try await perform(Self.request(method, path, json: json, partFrom: 0))
    if let failure = JamfAnswer.failure(response, of: path) { throw failure }
    return try BodyPart(response.headers) == nil ? JamfAnswer.json(response, of: path) : nil
  }

  private static func request(
    _ method: String, _ path: String, query: [(String, String)] = [], json: JSONValue? = nil,
    partFrom offset: Int? = nil
  ) -> APIRequest {
    var headers = [HTTPField("Accept", "application/json")]
    if json != nil { headers.append(HTTPField("Content-Type", "application/json")) }
    if let offset { headers.append(HTTPField(BodyPart.offsetField, "\(offset)")) }
    return APIRequest(
      method: method, path: path, query: query.map { HTTPField($0.0, $0.1) }, headers: headers,
      body: json.map { JSONWriter.bytes($0) } ?? [])
  }

  /// Sends a request of the Classic API, which takes changes as XML alone, and gives the answer's bytes.
  func send(_ method: String, _ path: String, xml: String) async throws(JamfFailure) -> [UInt8] {
    let headers = [
      HTTPField("Accept", "application/xml"), HTTPField("Content-Type", "application/xml"),
    ]
    let response = try await perform(
      APIRequest(method: method, path: path, headers: headers, body: Array(xml.utf8)))
    if let failure = JamfAnswer.failure(response, of: path) { throw failure }
    return response.body
  }

  /// Uploads files, and gives the answer's JSON, null where it has no body.
  func upload(_ path: String, _ form: MultipartForm) async throws(JamfFailure) -> JSONValue {
    let headers = [
      HTTPField("Accept", "application/json"), HTTPField("Content-Type", form.contentType),
    ]
    let response = try await perform(
      APIRequest(method: "POST", path: path, headers: headers, body: form.body))
    return try JamfAnswer.json(response, of: path)
  }

  /// Reads a list, and calls `each` for every page as it comes, until that says no or the list ends.
  ///
  /// An answer that is too large is asked for again in smaller pages.
  /// - Parameter firstPage: records of the first page, where somebody waits for it: the next ones grow to the usual size.
  func pages(
    _ path: String, _ query: [(String, String)] = [], pageSize: Int = 200, firstPage: Int? = nil,
    each: @MainActor (JamfPage) async throws(JamfFailure) -> Bool
  ) async throws(JamfFailure) {
    var paging = JamfPaging(of: path, size: pageSize, first: firstPage)
    while true {
      guard !Task.isCancelled else { throw .cancelled }
      let json: JSONValue
      do throws(JamfFailure) {
        json = try await get(
          path, query + [("page", "\(paging.index)"), ("page-size", "\(paging.size)")])
      } catch {
        if error == .tooLarge, paging.shrink() { continue }
        throw error
      }
      let page = try JamfPage(json, index: paging.pages)
      guard paging.fits(page) else { continue }
      let hasMore = try paging.take(page)
      guard try await each(page), hasMore else { return }
    }
  }

  private func perform(_ request: APIRequest) async throws(JamfFailure) -> APIResponse {
    guard request.path.utf8.first == UInt8(ascii: "/") else {
      throw .invalidRequest("the path \(request.path.quoted()) does not begin with a slash.")
    }
    guard let api else { throw .unavailable("the api role is not granted to this module.") }
    do throws(ServiceError) { return try await api.request(request) } catch {
      throw JamfFailure(error)
    }
  }
}
