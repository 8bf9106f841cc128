import Testing

@testable import ForsettiCore

/// What a policy asks persons for, and which values it takes.
@Suite("Secrets of a policy")
struct SecretTests {
  private static let account = SecretDeclaration(
    secretID: "account", moduleID: "com.example.mail", title: "Account",
    fields: [
      .init(fieldID: "user", label: "User", kind: .text, isRequired: true),
      .init(fieldID: "mode", label: "Mode", kind: .choice, choices: ["a", "b"]),
      .init(fieldID: "password", label: "Password", kind: .secret, isRequired: true),
      .init(fieldID: "pin", label: "PIN", kind: .secret),
    ])

  private static func decode(_ secrets: String) throws(PolicyFaults) -> [SecretDeclaration] {
    try PolicyDecoder.decode(
      bytes: Array(#"{"policyVersion": 1, "secrets": \#(secrets)}"#.utf8), file: "p.json"
    ).secrets
  }

  @Test("are read as they are written")
  func read() throws {
    let text = """
      [{"secretID": "account", "module": "com.example.mail", "title": "Account", "reason": "why", "fields": [
        {"fieldID": "user", "label": "User", "kind": "text", "required": true},
        {"fieldID": "mode", "label": "Mode", "kind": "choice", "choices": ["a", "b"]},
        {"fieldID": "password", "label": "Password", "kind": "secret", "required": true, "reason": "why"},
        {"fieldID": "pin", "label": "PIN", "kind": "secret"}]}]
      """
    #expect(try Self.decode(text) == [Self.account])
    #expect(try Self.decode("[]").isEmpty)
  }

  private static let field = #"{"fieldID": "f", "label": "L", "kind": "text"}"#

  @Test(
    "that make no sense are refused where they are written",
    arguments: [
      ("{}", "/secrets"), ("[1]", "/secrets/0"), ("[{}]", "/secrets/0"),
      (secret(id: "1a"), "/secrets/0/secretID"), (secret(id: "a=b"), "/secrets/0/secretID"),
      (secret(id: String(repeating: "a", count: 65)), "/secrets/0/secretID"),
      (secret(module: "com.example.*"), "/secrets/0/module"),
      (secret(title: " "), "/secrets/0/title"),
      (secret(title: String(repeating: "a", count: 201)), "/secrets/0/title"),
      (secret(fields: ""), "/secrets/0/fields"),
      (secret(fields: "\(field), \(field)"), "/secrets/0/fields/1"),
      (secret(fields: (0...16).map { named("f\($0)") }.joined(separator: ",")), "/secrets/0/fields"),
      (secret(fields: #"{"fieldID": "f", "label": "L", "kind": "toggle"}"#), "/secrets/0/fields/0/kind"),
      (secret(fields: #"{"fieldID": "f", "label": "L", "kind": "choice"}"#), "/secrets/0/fields/0"),
      (
        secret(fields: #"{"fieldID": "f", "label": "L", "kind": "choice", "choices": []}"#),
        "/secrets/0/fields/0/choices"
      ),
      (
        secret(fields: #"{"fieldID": "f", "label": "L", "kind": "secret", "choices": ["a"]}"#),
        "/secrets/0/fields/0"
      ),
      ("[\(object()), \(object())]", "/secrets/1"),
      ("[" + (0...64).map { object(id: "s\($0)") }.joined(separator: ",") + "]", "/secrets"),
    ])
  func refused(text: String, pointer: String) {
    do throws(PolicyFaults) {
      _ = try Self.decode(text)
      Issue.record("it was taken")
    } catch { #expect(error.faults.map(\.pointer).contains(pointer), "\(error.faults)") }
  }

  private static func named(_ id: String) -> String { field.replacing(#""f""#, with: "\"\(id)\"") }

  private static func secret(
    id: String = "s", module: String = "a.b", title: String = "T", fields: String = field
  ) -> String { "[\(object(id: id, module: module, title: title, fields: fields))]" }

  private static func object(
    id: String = "s", module: String = "a.b", title: String = "T", fields: String = field
  ) -> String {
    #"{"secretID": "\#(id)", "module": "\#(module)", "title": "\#(title)", "fields": [\#(fields)]}"#
  }

  @Test("take values of their fields, and an empty one is none")
  func values() throws {
    let given = ["user": "u", "password": "p\nq", "mode": "", "pin": "1"]
    #expect(try Self.account.checked(given) == ["user": "u", "password": "p\nq", "pin": "1"])
  }

  @Test(
    "take no others, and say which field is wrong",
    arguments: [
      (["user": "u"], SecretFault.missing("password")),
      (["user": "u", "password": ""], .missing("password")),
      (["user": "u", "password": "p", "other": ""], .unknownField("other")),
      (["user": "u\n", "password": "p"], .unfit("user")),
      (["user": "u\u{202E}", "password": "p"], .unfit("user")),
      (["user": "u", "password": "p\0"], .unfit("password")),
      (["user": "u", "password": "p", "mode": "c"], .notAChoice("mode")),
      (["user": "u", "password": String(repeating: "p", count: 8_193)], .tooLong("password")),
    ] as [([String: String], SecretFault)])
  func faults(given: [String: String], fault: SecretFault) {
    #expect(throws: fault) { try Self.account.checked(given) }
  }

  @Test("take no more than all values together may have")
  func total() {
    let fields = (0..<5).map {
      SecretDeclaration.Field(fieldID: "f\($0)", label: "L", kind: .secret)
    }
    let secret = SecretDeclaration(secretID: "s", moduleID: "a.b", title: "T", fields: fields)
    let long = String(repeating: "x", count: SecretLimits.valueBytes)
    let values = Dictionary(uniqueKeysWithValues: fields.map { ($0.fieldID, long) })
    #expect(throws: SecretFault.tooMuch) { try secret.checked(values) }
  }

  @Test(
    "are taken out of a text wherever they stand, also beside marks that would join them to other characters",
    arguments: [
      ("no sesame here, nor sesame", "no ••• here, nor •••"), ("open sesame1", "open •••"),
      ("sesame\u{301}", "•••\u{301}"), ("user u", "user u"), ("", ""),
    ])
  func hidden(text: String, shown: String) {
    let values = ["user": "u", "password": "sesame", "pin": "sesame1"]
    #expect(Self.account.hiding(values, in: text) == shown)
  }

  @Test("of several lines are taken out line by line too, but for lines so short that they say nothing")
  func hiddenLines() {
    let secret = SecretDeclaration(
      secretID: "s", moduleID: "a.b", title: "T",
      fields: [.init(fieldID: "key", label: "Key", kind: .multilineSecret)])
    let values = ["key": "-----BEGIN KEY-----\nc2VzYW1lLW9wZW4\nQQ=\n-----END KEY-----\n"]
    #expect(secret.hiding(values, in: "cannot read c2VzYW1lLW9wZW4 QQ=") == "cannot read ••• QQ=")
    #expect(secret.hiding(values, in: "got \(values["key"] ?? "")!") == "got •••!")
    let codes = ["key": "482913\n771204\n"]
    #expect(secret.hiding(codes, in: "code 771204 was refused") == "code ••• was refused")
  }

  @Test("are taken out as a module that trims them says them, too") func trimmed() {
    #expect(Self.account.hiding(["password": " sesame\n"], in: "no sesame") == "no •••")
  }
}
