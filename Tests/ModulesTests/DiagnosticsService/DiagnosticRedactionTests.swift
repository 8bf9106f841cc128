import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct DiagnosticRedactionTests {
  private static func report(_ message: String, _ metadata: [String: String] = [:]) -> DiagnosticReport {
    DiagnosticReport(
      source: "com.example.a", category: "test", severity: .warning, message: message, metadata: metadata,
      time: 7)
  }

  private static let values: [(String, String, String)] = [
    ("reason", "check_digit", "check_digit"), ("asked_by", "com.example.desk", "com.example.desk"),
    ("Status", "403", "403"), ("elapsed-ms", "17", "17"), ("retryAfter", "2", "2"),
    ("serialNumber", "C02XL0ABJGH5", "<redacted>"), ("udid", "x", "<redacted>"),
    ("password", "x", "<redacted>"),
    ("PIN", "123456", "<redacted>"), ("payloadPreview", "{}", "<redacted>"),
    ("username", "zoe", "<redacted>"),
    ("anything new", "x", "<redacted>"), ("", "x", "<redacted>"), ("réason", "x", "<redacted>"),
    ("path", "/api/v1/computers-inventory/17/filevault", "/api/v1/computers-inventory/…/filevault"),
    ("path", "/JSSResource/computers/serialnumber/C02", "/JSSResource/computers/serialnumber/…"),
    ("error", "Authorization: Bearer abc", "Authorization: <redacted> <redacted>"),
    ("error", "token eyJhbGciOi.J9.x", "token <redacted>"),
    ("reason", "wrong password: hunter2", "wrong password: <redacted>"),
    (
      "reason", "device 3F2504E0-4F89-11D3-9A0C-0305E82C3301 is gone", "device <redacted> is gone"
    ),
    ("reason", "3F2504E0-4F89-11D3-9A0C is none", "3F2504E0-4F89-11D3-9A0C is none"),
    ("reason", "(3f2504e0-4f89-11d3-9a0c-0305e82c3301)", "<redacted>"),
  ]

  @Test("metadata keeps its value by its key alone, and no text names a secret", arguments: values)
  func metadata(key: String, value: String, kept: String) {
    let redacted = DiagnosticRedaction.redacted(Self.report("m", [key: value]))
    #expect(redacted.metadata == [key: kept])
  }

  private static let messages: [(String, String)] = [
    ("A scan was refused", "A scan was refused"), ("two\nlines", "two\\u{A}lines"),
    ("the client secret s3cr3t was refused", "the client secret <redacted> was refused"),
    ("GET /api/v3/computers-inventory/12 failed", "GET /api/v3/computers-inventory/… failed"),
    ("user_password=x", "user_password=<redacted>"), ("the token expired.", "the token expired."),
    (#"{"password":"x"}"#, #"{"password":<redacted>"#), ("password: hunter", "password: <redacted>"),
    ("serial C02XL0", "serial <redacted>"), ("mapping failed", "mapping failed"), ("a=b", "a=b"),
    ("pin:", "pin:"), ("password = hunter", "password = <redacted>"),
    ("password :  x", "password :  <redacted>"),
    ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic <redacted>"),
    ("https://h/?a=1&token=abc", "https://h/?a=1&token=<redacted>"),
    (#"{"a":1,"password":"x"}"#, #"{"a":1,"password":<redacted>"#), ("a = b", "a = b"),
    ("PIN 1234", "PIN <redacted>"), ("", ""),
  ]

  @Test("a message is one line, without what it says of secrets and devices", arguments: messages)
  func message(text: String, kept: String) {
    #expect(DiagnosticRedaction.redacted(Self.report(text)).message == kept)
  }

  @Test("everything is bounded") func bounds() {
    let long = String(repeating: "x ", count: 9_000)
    var report = Self.report(long)
    (report.source, report.category) = (long, long)
    for number in 0..<100 { report.metadata["\(number)\(long)"] = long }
    let kept = DiagnosticRedaction.redacted(report)
    #expect(kept.message.unicodeScalars.count <= 1_025)
    #expect(kept.source.unicodeScalars.count <= 257)
    #expect(kept.category.unicodeScalars.count <= 65)
    #expect(kept.metadata.count <= 16)
    #expect(
      kept.metadata.allSatisfy { $0.key.unicodeScalars.count <= 65 && $0.value.unicodeScalars.count <= 257 })
    #expect(kept.time == 7)
    #expect(kept.severity == .warning)
  }
}
