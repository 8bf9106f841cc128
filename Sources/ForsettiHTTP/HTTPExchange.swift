import CMicroHTTPD
import ForsettiCore

/// One request on its way in. Only the thread of its connection knows it.
final class HTTPExchange {
  private let target: String?
  private let limits: HTTPLimits
  private(set) var isBegun = false
  private var request: HTTPRequest?
  private var refusal: HTTPRefusal?

  /// Begins with the target, as it was sent.
  init(target: UnsafePointer<CChar>, limits: HTTPLimits) {
    self.target = String(validatingCString: target)
    self.limits = limits
  }

  /// The headers are there.
  /// - Throws: why the body is not worth reading, where it is not.
  func begin(method: UnsafePointer<CChar>, _ connection: OpaquePointer) throws(HTTPRefusal) {
    isBegun = true
    guard let target, let method = String(validatingCString: method), let headers = Self.headers(connection)
    else { throw HTTPRefusal(.badRequest, "The request is not UTF-8.") }
    try checkHead(target, headers, connection)
    let place: HTTPTarget
    do throws(HTTPTarget.Fault) { place = try HTTPTarget(target) } catch {
      throw HTTPRefusal(.badRequest, Self.text(of: error))
    }
    let lengths = headers.values(of: "Content-Length")
    let isChunked = !headers.values(of: "Transfer-Encoding").isEmpty
    // Whoever reads two lengths may find two requests where there is one (RFC 9112 §6.3).
    guard lengths.count <= 1, lengths.isEmpty || !isChunked, headers.values(of: "Host").count <= 1 else {
      throw HTTPRefusal(.badRequest, "The request gives its host or its length twice.")
    }
    if let length = lengths.first, Int(length).map({ $0 > limits.bodyBytes }) ?? true { throw tooLarge }
    request = HTTPRequest(method: method, path: place.path, query: place.query, headers: headers)
  }

  /// Takes a piece of the body. What exceeds the limit is not kept.
  func append(_ bytes: UnsafeRawBufferPointer) {
    guard let length = request?.body.count else { return }
    guard length + bytes.count <= limits.bodyBytes else {
      request = nil
      refusal = tooLarge
      return
    }
    request?.body += bytes
  }

  /// The request, now that it is whole; or why it is none.
  func finish() throws(HTTPRefusal) -> HTTPRequest {
    guard let request else { throw refusal ?? HTTPRefusal(.badRequest, "The request is not whole.") }
    return request
  }

  /// The library refuses what its memory has no room for, which is more than is promised.
  private func checkHead(
    _ target: String, _ headers: HTTPHeaders, _ connection: OpaquePointer
  ) throws(HTTPRefusal) {
    guard target.utf8.count <= limits.headerBytes else {
      throw HTTPRefusal(.targetTooLong, "A target has at most \(limits.headerBytes) bytes.")
    }
    guard cmicrohttpd_head_bytes(connection) <= limits.headerBytes,
      headers.fields.count <= limits.headerFields
    else {
      throw HTTPRefusal(
        .headersTooLarge,
        "A request's line and headers have at most \(limits.headerBytes) bytes, and it has at most \(limits.headerFields) headers."
      )
    }
  }

  private var tooLarge: HTTPRefusal {
    HTTPRefusal(.contentTooLarge, "A body has at most \(limits.bodyBytes) bytes.")
  }

  private static func text(of fault: HTTPTarget.Fault) -> String {
    switch fault {
    case .path(let fault): "The path is refused: \(fault.rawValue)."
    case .badEscape: "The path or the query has an escape that is none, or is not UTF-8."
    case .tooManyParameters: "A query has at most \(HTTPTarget.maximumParameters) parameters."
    }
  }

  /// The headers; `nil` where one is not UTF-8.
  private static func headers(_ connection: OpaquePointer) -> HTTPHeaders? {
    var reader = HeaderReader()
    withUnsafeMutablePointer(to: &reader) { reader in
      _ = MHD_get_connection_values(
        connection, .HEADER_KIND,
        { context, _, name, value in
          context?.assumingMemoryBound(to: HeaderReader.self).pointee.add(name, value)
          return .YES
        }, reader)
    }
    return reader.isValid ? reader.headers : nil
  }
}

/// An answer that is given without asking the handler.
struct HTTPRefusal: Error {
  let response: HTTPResponse

  /// Makes a refusal of one line.
  init(_ status: HTTPStatus, _ text: String) { response = HTTPResponse(status, text + "\n") }
}

private struct HeaderReader {
  var headers = HTTPHeaders()
  var isValid = true

  mutating func add(_ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?) {
    guard let name, let name = String(validatingCString: name),
      let value = value.map({ String(validatingCString: $0) }) ?? ""
    else {
      isValid = false
      return
    }
    headers.add(name, value)
  }
}
