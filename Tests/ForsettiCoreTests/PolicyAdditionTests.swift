import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiCore

/// One policy before and after direct `threads` was written into it for `com.a.module`.
struct AdditionCase: Sendable, CustomTestStringConvertible {
  var name: String
  var before: String
  var after: String
  var origin = ModuleOrigin.builtIn

  var testDescription: String { name }

  init(_ name: String, _ before: String, _ after: String, origin: ModuleOrigin = .builtIn) {
    self.name = name
    self.before = before
    self.after = after
    self.origin = origin
  }

  static let hash = String(repeating: "ab", count: 32)
  static let key = "RW" + String(repeating: "A", count: 54)

  static let all: [AdditionCase] = [
    .init(
      "an empty object",
      #"{"policyVersion": 1, "rules": [{"modules": "com.a.module", "sandbox": {}}]}"#,
      #"{"policyVersion": 1, "rules": [{"modules": "com.a.module", "sandbox": { "direct": ["threads"] }}]}"#),
    .init(
      "an empty array",
      #"{"policyVersion": 1, "rules": [{"modules": "com.a.module", "sandbox": {"direct": []}}]}"#,
      #"{"policyVersion": 1, "rules": [{"modules": "com.a.module", "sandbox": {"direct": ["threads"]}}]}"#),
    .init(
      "no sandbox, in lines",
      """
      {
        "policyVersion": 1,
        "rules": [
          {
            "modules": "COM.a.Module",
            "reason": "ü \\" } ] 🦉",

            "grant": [
              "storage"
            ]
          },
          { "modules": "com.b" }
        ]
      }

      """,
      """
      {
        "policyVersion": 1,
        "rules": [
          {
            "modules": "COM.a.Module",
            "reason": "ü \\" } ] 🦉",

            "grant": [
              "storage"
            ],
            "sandbox": { "direct": ["threads"] }
          },
          { "modules": "com.b" }
        ]
      }

      """),
    .init(
      "a sandbox with more in it, by tabs",
      "{\n\t\"policyVersion\": 1,\n\t\"rules\": [{\n\t\t\"modules\": \"com.a.module\",\n\t\t\"sandbox\": {\n\t\t\t\"limits\": {\"openFiles\": 16}\n\t\t}\n\t}]\n}",
      "{\n\t\"policyVersion\": 1,\n\t\"rules\": [{\n\t\t\"modules\": \"com.a.module\",\n\t\t\"sandbox\": {\n\t\t\t\"limits\": {\"openFiles\": 16},\n\t\t\t\"direct\": [\"threads\"]\n\t\t}\n\t}]\n}"
    ),
    .init(
      "lines that end with CR LF, and none at the end",
      "{\r\n  \"rules\": [\r\n    {\r\n      \"modules\": \"com.a.module\"\r\n    }\r\n  ],\r\n  \"policyVersion\": 1\r\n}",
      "{\r\n  \"rules\": [\r\n    {\r\n      \"modules\": \"com.a.module\",\r\n      \"sandbox\": { \"direct\": [\"threads\"] }\r\n    }\r\n  ],\r\n  \"policyVersion\": 1\r\n}"
    ),
    .init(
      "behind a byte order mark",
      "\u{FEFF}{\"policyVersion\": 1, \"rules\": [{\"modules\": \"com.a.module\"}]}\n",
      "\u{FEFF}{\"policyVersion\": 1, \"rules\": [{\"modules\": \"com.a.module\", \"sandbox\": { \"direct\": [\"threads\"] }}]}\n"
    ),
    .init(
      "no rules at all", "{\"policyVersion\": 1}\n",
      "{\"policyVersion\": 1, \"rules\": [{ \"modules\": \"com.a.module\", \"sandbox\": { \"direct\": [\"threads\"] } }]}\n"
    ),
    .init(
      "a rule of many modules alone",
      """
      {
        "policyVersion": 1,
        "rules": [
          { "modules": "com.a.*", "grant": ["api"] }
        ]
      }
      """,
      """
      {
        "policyVersion": 1,
        "rules": [
          { "modules": "com.a.*", "grant": ["api"] },
          { "modules": "com.a.module", "sandbox": { "direct": ["threads"] } }
        ]
      }
      """),
    .init(
      "the rule of another origin",
      "{\"policyVersion\": 1, \"rules\": [{\"modules\": \"com.a.module\"}]}",
      "{\"policyVersion\": 1, \"rules\": [{\"modules\": \"com.a.module\"}, { \"modules\": \"com.a.module\", \"origin\": { \"sha256\": \"\(hash)\" }, \"sandbox\": { \"direct\": [\"threads\"] } }]}",
      origin: .bundle(sha256: hash, key: nil)),
    .init(
      "a bundle that is named by its key",
      "{\"policyVersion\": 1, \"rules\": [{\"modules\": \"com.*\", \"origin\": {\"key\": \"\(key)\"}}]}",
      "{\"policyVersion\": 1, \"rules\": [{\"modules\": \"com.*\", \"origin\": {\"key\": \"\(key)\"}}, { \"modules\": \"com.a.module\", \"origin\": { \"key\": \"\(key)\" }, \"sandbox\": { \"direct\": [\"threads\"] } }]}",
      origin: .bundle(sha256: hash, key: key)),
    .init(
      "what is granted already",
      #"{"policyVersion": 1, "rules": [{"modules": "com.a.module", "sandbox": {"direct": ["threads"]}}]}"#,
      #"{"policyVersion": 1, "rules": [{"modules": "com.a.module", "sandbox": {"direct": ["threads"]}}]}"#),
  ]
}

@Suite("A policy with more said of one module") struct PolicyAdditionTests {
  private func addition(_ origin: ModuleOrigin) -> PolicyAddition {
    PolicyAddition(moduleID: "com.a.module", origin: origin, direct: [.threads])
  }

  @Test(
    "the addition stands in the module's own rule, and all else is as it was", arguments: AdditionCase.all)
  func added(to policy: AdditionCase) throws {
    let after = try addition(policy.origin).applied(to: Array(policy.before.utf8))
    #expect(String(decoding: after, as: UTF8.self) == policy.after)
    let decoded = try PolicyDecoder.decode(bytes: after, file: "p.json")
    #expect(decoded.sandbox(for: "com.a.module", origin: policy.origin).direct == [.threads])
  }

  @Test("a capability goes into the rule's grants, beside a direct grant")
  func capability() throws {
    let before = #"{"policyVersion": 1, "rules": [{"modules": "com.a.module", "grant": ["api"]}]}"#
    let addition = PolicyAddition(
      moduleID: "com.a.module", origin: .builtIn, direct: [.threads], capabilities: [.storage, .api])
    #expect(
      String(decoding: try addition.applied(to: Array(before.utf8)), as: UTF8.self)
        == #"{"policyVersion": 1, "rules": [{"modules": "com.a.module", "grant": ["api", "storage"], "sandbox": { "direct": ["threads"] }}]}"#
    )
  }

  @Test("patch and git apply make of the one text the other, to the byte", arguments: AdditionCase.all)
  func patched(_ policy: AdditionCase) throws {
    let after = Array(policy.after.utf8)
    let diff = UnifiedDiff(from: Array(policy.before.utf8), to: after, name: "in a/p \"1\".json")
    #expect(diff.text.isEmpty == (policy.before == policy.after))
    guard !diff.text.isEmpty else { return }
    for tool in [["patch", "-p0", "-s"], ["git", "apply", "-p0"]] {
      #expect(try Self.apply(diff.text, with: tool, to: Array(policy.before.utf8)) == after, "\(tool)")
    }
    #expect(diff.added.contains { $0.text.contains("\"threads\"") })
  }

  @Test("lines are told by their number in the new text, and contexts end where the text does")
  func numbers() {
    let old = Array("1\n2\n3\n4\n5\n6\n7\n8\n9\n".utf8)
    let diff = UnifiedDiff(from: old, to: Array("1\n2\n3\n4\n5\nnew\n6\n7\n8\n9\n".utf8), name: "f")
    #expect(
      diff.text == "--- f\n+++ f\n@@ -3,6 +3,7 @@\n 3\n 4\n 5\n+new\n 6\n 7\n 8\n")
    #expect(diff.added == [UnifiedDiff.AddedLine(number: 6, text: "new")])
    #expect(
      UnifiedDiff(from: [], to: Array("x".utf8), name: "f").text
        == "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file\n")
    #expect(UnifiedDiff(from: old, to: old, name: "f").text.isEmpty)
  }

  private static func apply(_ patch: String, with tool: [String], to bytes: [UInt8]) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let file = folder.appending(path: "in a/p \"1\".json")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(bytes).write(to: file)
    // env(1) changes to the folder first.
    let (status, _) = try SpawnedProgram.run(["-C", folder.path] + tool, input: Array(patch.utf8))
    try #require(status == 0)
    return Array(try Data(contentsOf: file))
  }
}
