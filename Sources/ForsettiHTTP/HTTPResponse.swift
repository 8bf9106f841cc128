/// What a handler answers.
public struct HTTPResponse: Sendable {
  /// Its body.
  public enum Body: Sendable {
    /// Bytes that are there already.
    case bytes([UInt8])
    /// Bytes that come as they are made.
    case stream(any HTTPStream)
  }

  /// The status code.
  public var status: HTTPStatus
  /// Headers of the handler's own; length, date and connection are the server's. A name or value that no header can
  /// have, such as one with a line break, makes the whole answer a 500.
  public var headers: HTTPHeaders
  /// The body.
  public var body: Body

  /// Makes an answer of bytes.
  public init(_ status: HTTPStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.init(status, headers: headers, body: .bytes(body))
  }

  /// Makes an answer.
  public init(_ status: HTTPStatus, headers: HTTPHeaders, body: Body) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Makes an answer of text.
  public init(_ status: HTTPStatus, _ text: String, type: String = "text/plain; charset=utf-8") {
    self.init(status, headers: ["Content-Type": type], body: Array(text.utf8))
  }
}

/// The source of a body that comes in pieces, such as server-sent events. One thread, that of the connection, calls
/// `next`; `cancel` may come from any other, and at any time.
public protocol HTTPStream: AnyObject, Sendable {
  /// The next piece, never an empty one; `nil` at the end. May block: nobody else waits. One that is silent for long sends
  /// something that means nothing, now and then, so that the client sees that the connection stands.
  func next() -> [UInt8]?
  /// Asked at the end: whether all of it was said. Where it was not, the connection ends without the mark of a whole
  /// body, so that no client takes a part for all of it.
  var isWhole: Bool { get }
  /// Lets `next` return `nil` at once, now and from now on. Called when the client is gone, and when the server stops.
  func cancel()
}

extension HTTPStream {
  /// A stream that says nothing of it is whole.
  public var isWhole: Bool { true }
}
