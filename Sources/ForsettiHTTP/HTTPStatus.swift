/// A status code of RFC 9110 §15.
public struct HTTPStatus: RawRepresentable, Sendable, Hashable {
  /// 200 to 599.
  public let rawValue: Int

  /// Makes a status; `nil` for a code that no answer of a server has.
  public init?(rawValue: Int) {
    guard (200...599).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  private init(_ code: Int) { rawValue = code }

  /// 200
  public static let ok = HTTPStatus(200)
  /// 201
  public static let created = HTTPStatus(201)
  /// 202
  public static let accepted = HTTPStatus(202)
  /// 204
  public static let noContent = HTTPStatus(204)
  /// 400
  public static let badRequest = HTTPStatus(400)
  /// 401
  public static let unauthorized = HTTPStatus(401)
  /// 403
  public static let forbidden = HTTPStatus(403)
  /// 404
  public static let notFound = HTTPStatus(404)
  /// 405
  public static let methodNotAllowed = HTTPStatus(405)
  /// 409
  public static let conflict = HTTPStatus(409)
  /// 413
  public static let contentTooLarge = HTTPStatus(413)
  /// 414
  public static let targetTooLong = HTTPStatus(414)
  /// 415
  public static let unsupportedMediaType = HTTPStatus(415)
  /// 421
  public static let misdirected = HTTPStatus(421)
  /// 431
  public static let headersTooLarge = HTTPStatus(431)
  /// 500
  public static let internalError = HTTPStatus(500)
  /// 502
  public static let badGateway = HTTPStatus(502)
  /// 503
  public static let unavailable = HTTPStatus(503)
}
