internal import ForsettiModuleKit

/// Reads what Jamf Pro answers, which is as little trusted as any other text of a stranger.
enum JamfAnswer {
  /// What of it is read. A PreStage's scope is the longest list that has no pages: of the shortest assignments, some
  /// 45,000 fit into the largest body.
  private static let limits = JSONLimits(
    bytes: BodyPart.largestBody, depth: 32, stringBytes: BodyPart.largest, arrayElements: 50_000)

  /// The JSON of an answer of 2xx, null where it has no body.
  static func json(_ response: APIResponse, of path: String) throws(JamfFailure) -> JSONValue {
    if let failure = failure(response, of: path) { throw failure }
    guard !response.body.isEmpty else { return .null }
    // A proxy's page for people, which comes with any status.
    guard !isMarkup(response.body) else { throw .unreadable("a page of HTML or XML came instead of JSON.") }
    do { return try JSONParser.parse(response.body, limits: limits).root } catch {
      throw .unreadable("\(error.reason.plain()) (line \(error.line), column \(error.column)).")
    }
  }

  /// Why an answer is none of 2xx; nothing for one that is.
  static func failure(_ response: APIResponse, of path: String) -> JamfFailure? {
    switch response.status {
    case 200...299: nil
    case 401: .credentialsRejected
    case 403: .forbidden(path)
    // 405 and 501 are what versions say that know the path and not the method.
    case 404, 405, 410, 501: .notFound(path)
    case 409, 412: .conflict(words(response))
    case 413: .tooLarge
    case 429: .rateLimited(retryAfterSeconds: RetryAfter.seconds(response.headers))
    case 400...499: .invalidRequest(words(response))
    case 500...599: .serverError(response.status)
    default: .unreadable("it has status \(response.status).")
    }
  }

  /// What Jamf Pro's own form of an error says, in one bounded line; the rest of its body is nobody's business.
  private static func words(_ response: APIResponse) -> String {
    let root = try? JSONParser.parse(response.body, limits: limits).root
    let texts = (root?["errors"]?.elements ?? []).prefix(3).compactMap { error -> String? in
      let parts = [
        error["code"]?.stringValue, error["field"]?.stringValue, error["description"]?.stringValue,
      ]
      let known = parts.compactMap { $0 }.filter { !$0.isBlank }
      return known.isEmpty ? nil : known.joined(separator: ": ").plain()
    }
    return texts.isEmpty ? "it says no more than status \(response.status)." : texts.joined(separator: "; ")
  }

  private static func isMarkup(_ body: [UInt8]) -> Bool {
    body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
  }
}

/// The Retry-After of an answer (RFC 9110, §10.2.3).
enum RetryAfter {
  /// What a server may ask for at most, in seconds: a day.
  private static let limit = 86_400

  /// Seconds; nothing where it is absent, a date, negative or no number.
  static func seconds(_ headers: [HTTPField]) -> Int? {
    guard let field = headers.first(where: { $0.name.lowercased() == "retry-after" }) else { return nil }
    let text = field.value.trimmedScalars
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    // Digits that are no Int are more than it holds.
    return min(Int(text) ?? limit, limit)
  }
}
