import ForsettiCore

/// The header fields that a module may send.
enum HeaderRules {
  private static let most = 64
  private static let largest = 16 << 10
  /// Fields that frame the message or concern the connection, which are libcurl's to write.
  private static let ours: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection", "te",
    "trailer",
    "upgrade", "expect", "http2-settings",
  ]
  /// Fields that are for the first host alone.
  private static let secrets: Set<String> = ["authorization", "cookie"]
  /// Fields that tell of a body.
  private static let ofBody: Set<String> = [
    "content-type", "content-encoding", "content-language", "content-location",
  ]

  /// Refuses what could forge a message, or is not for a module to say.
  static func check(_ headers: [HTTPField]) throws(ServiceError) {
    guard headers.count <= most else { throw refusal("at most \(most) fields are meant") }
    var bytes = 0
    for field in headers {
      bytes += field.name.utf8.count + field.value.utf8.count + 4
      guard bytes <= largest else { throw refusal("at most \(largest) bytes of fields are meant") }
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(isToken) else {
        throw refusal("\(field.name.quoted()) is no field name")
      }
      guard field.value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
        throw refusal("the value of \(field.name) holds a line break or control character")
      }
      let name = field.name.lowercased()
      guard !ours.contains(name), !name.hasPrefix("proxy-") else {
        throw refusal("\(field.name) is written by the supervisor")
      }
    }
  }

  /// What goes to the next host of a redirect.
  static func fields(
    _ headers: [HTTPField], keepingSecrets: Bool, keepingBody: Bool
  ) -> [HTTPField] {
    headers.filter { field in
      let name = field.name.lowercased()
      return (keepingSecrets || !secrets.contains(name)) && (keepingBody || !ofBody.contains(name))
    }
  }

  /// `tchar` of RFC 9110 §5.6.2.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static func refusal(_ reason: String) -> ServiceError {
    .invalidArgument(name: "headers", reason: reason)
  }
}
