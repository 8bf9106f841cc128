internal import ForsettiModuleKit

/// Files and values in one body (RFC 7578), as Jamf Pro takes uploads.
struct MultipartForm: Sendable {
  /// One file or value.
  struct Part: Sendable, Hashable {
    /// The field's name.
    var name: String
    /// The file's name; nothing for a value that is no file.
    var fileName: String?
    /// Its media type; nothing where the server needs none.
    var contentType: String?
    var data: [UInt8]
  }

  /// As it is sent.
  let body: [UInt8]
  /// The media type of the body, which says where its parts end.
  let contentType: String

  /// Writes parts.
  /// - Parameter boundary: stands in no part's data; a `RandomToken` does not.
  /// - Throws: `invalidRequest` without parts, and for a name that would end its header line or its quotes.
  init(_ parts: [Part], boundary: String = RandomToken.make()) throws(JamfFailure) {
    guard !parts.isEmpty else { throw .invalidRequest("there is nothing to upload.") }
    guard Self.isPlain(boundary), !boundary.isEmpty else {
      throw .invalidRequest("the boundary is none.")
    }
    var body: [UInt8] = []
    for part in parts {
      for text in [part.name, part.fileName, part.contentType] {
        guard text.map(Self.isPlain) ?? true else {
          throw .invalidRequest("\((text ?? "").quoted()) can't stand in a header field.")
        }
      }
      body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"".utf8
      if let fileName = part.fileName { body += "; filename=\"\(fileName)\"".utf8 }
      if let contentType = part.contentType { body += "\r\nContent-Type: \(contentType)".utf8 }
      body += "\r\n\r\n".utf8
      body += part.data
      body += "\r\n".utf8
    }
    body += "--\(boundary)--\r\n".utf8
    self.body = body
    contentType = "multipart/form-data; boundary=\(boundary)"
  }

  /// Without what ends a line or a quoted text.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }
  }
}
