import ForsettiCore
import ForsettiHTTP

/// The body of an upload (RFC 7578), read as strictly as a client has to write it.
struct MultipartBody: Sendable, Equatable {
  struct Part: Sendable, Equatable {
    var name: String
    var fileName: String?
    var contentType: String?
    var data: [UInt8]
  }

  let parts: [Part]

  /// Characters of a boundary at most (RFC 2046, §5.1.1).
  private static let boundaryLimit = 70

  /// Reads the body of a request. What is no form is refused with 415, and one that is broken with 400.
  init(_ request: ServerRequest) throws(APIFault) {
    let boundary = try Self.boundary(request.headers["Content-Type"] ?? "")
    let delimiter = Array("\r\n--\(boundary)".utf8)
    // With a line's end in front the first boundary is as all others.
    var rest = (Self.lineEnd + request.body)[...]
    guard rest.starts(with: delimiter) else { throw Self.broken("it does not begin with the boundary") }
    rest = rest.dropFirst(delimiter.count)
    var parts: [Part] = []
    while rest.starts(with: Self.lineEnd) {
      let part = rest.dropFirst(Self.lineEnd.count)
      guard let end = part.firstRange(of: delimiter) else { throw Self.broken("a part has no end") }
      parts.append(try Self.part(part[..<end.lowerBound]))
      rest = part[end.upperBound...]
    }
    guard Array(rest) == Array("--\r\n".utf8), !parts.isEmpty else {
      throw Self.broken("it does not end with the boundary")
    }
    self.parts = parts
  }

  private static let lineEnd = Array("\r\n".utf8)

  private static func boundary(_ type: String) throws(APIFault) -> String {
    let mark = "multipart/form-data; boundary="
    let boundary = type.dropFirst(mark.count)
    guard type.hasPrefix(mark), (1...boundaryLimit).contains(boundary.utf8.count),
      boundary.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "'()+_,-./:=?".contains($0)) })
    else {
      throw APIFault(
        .unsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "a form with files is expected, not \(type.quoted())"
      )
    }
    return String(boundary)
  }

  private static func part(_ bytes: ArraySlice<UInt8>) throws(APIFault) -> Part {
    guard let gap = bytes.firstRange(of: lineEnd + lineEnd),
      let head = String(validating: bytes[..<gap.lowerBound], as: UTF8.self)
    else { throw broken("a part has no header") }
    var fields: [String: String] = [:]
    for line in head.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else { throw broken("a header has no value") }
      fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    let disposition = fields["content-disposition"] ?? ""
    guard disposition.hasPrefix("form-data;"), let name = value("name", in: disposition), !name.isEmpty else {
      throw broken("a part has no name")
    }
    return Part(
      name: name, fileName: value("filename", in: disposition), contentType: fields["content-type"],
      data: Array(bytes[gap.upperBound...]))
  }

  /// A quoted parameter.
  private static func value(_ name: String, in disposition: String) -> String? {
    guard let start = disposition.firstRange(of: "; \(name)=\"") else { return nil }
    let rest = disposition[start.upperBound...]
    return rest.firstIndex(of: "\"").map { String(rest[..<$0]) }
  }

  private static func broken(_ why: String) -> APIFault { .invalid("body", "the form is broken: \(why)") }
}
