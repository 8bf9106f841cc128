import ForsettiCore
import ForsettiHTTP

/// A policy as a document of XML: a script with its first parameter, and the computers that run it.
struct ClassicPolicy: Sendable, Equatable {
  var name: String
  var script: Int
  var parameter: String
  var computers: [Int]

  /// Reads the body of a request.
  init(_ request: ServerRequest) throws(APIFault) {
    let text = try ClassicXML.document(request, root: "policy")
    guard let general = ClassicXML.part("general", of: text),
      let name = ClassicXML.texts(of: "name", in: general).first, !name.isEmpty
    else { throw .invalid("name", "a policy needs a name") }
    guard let scripts = ClassicXML.part("scripts", of: text),
      let script = ClassicXML.texts(of: "id", in: scripts).first.flatMap({ Int($0) })
    else { throw .invalid("scripts", "a script is expected") }
    let computers = ClassicXML.part("computers", of: text).map { part in
      ClassicXML.texts(of: "id", in: part).map { Int($0) }
    }
    guard let computers, !computers.isEmpty, !computers.contains(nil) else {
      throw .invalid("scope", "a computer is expected")
    }
    self.name = name
    self.script = script
    parameter = ClassicXML.texts(of: "parameter4", in: scripts).first ?? ""
    self.computers = computers.compactMap { $0 }
  }
}

/// The little of XML that the Classic API needs here.
enum ClassicXML {
  /// Bytes of a document at most.
  private static let limit = 65_536

  /// The body of a request, which must be a document of this root and be called XML.
  static func document(_ request: ServerRequest, root: String) throws(APIFault) -> String {
    let type = request.headers["Content-Type"]?.lowercased() ?? ""
    guard type.hasPrefix("application/xml") || type.hasPrefix("text/xml") else {
      throw APIFault(.unsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "XML is expected, not \(type.quoted())")
    }
    guard request.body.count <= limit else { throw .invalid("body", "it is too long") }
    let text = String(decoding: request.body, as: UTF8.self)
    guard part(root, of: text) != nil else { throw .invalid("body", "a \(root) is expected") }
    return text
  }

  /// What stands between the first start and the end of an element.
  static func part(_ name: String, of text: String) -> String? {
    guard let start = text.firstRange(of: "<\(name)>"),
      let end = text[start.upperBound...].firstRange(of: "</\(name)>")
    else { return nil }
    return String(text[start.upperBound..<end.lowerBound])
  }

  /// The texts of all elements of a name that hold text alone.
  static func texts(of name: String, in text: String) -> [String] {
    text.split(separator: "<").filter { $0.hasPrefix("\(name)>") }
      .map { plain(String($0.dropFirst(name.count + 1)).trimmedScalars) }
  }

  /// Without entities; the ampersand last, for it stands in the others.
  private static func plain(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")].reduce(text) {
      $0.replacing($1.0, with: $1.1)
    }
  }
}
