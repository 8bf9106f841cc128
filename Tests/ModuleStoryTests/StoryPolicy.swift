import ForsettiCore
import ForsettiTestKit
import Foundation

/// The policy for production with the one thing in it that a story can't know beforehand: where its server listens.
enum StoryPolicy {
  private static let service = "com.forsetti.jamfpro.service.jamf"

  /// The file's text.
  /// - Parameter rewriting: what a story changes besides; it is given the whole policy.
  static func text(port: UInt16, rewriting: (JSONValue) -> JSONValue) throws -> String {
    let bytes = Array(try Data(contentsOf: URL(filePath: Product.strictPolicy)))
    let limits = JSONLimits(bytes: 1 << 20, depth: 16)
    let policy = rewriting(try JSONParser.parse(bytes, limits: limits).root)
    let rules = (policy["rules"]?.elements ?? []).map { rule in
      rule["modules"]?.stringValue == service ? rule.setting("networking", networking(port)) : rule
    }
    return JSONWriter.text(policy.setting("rules", .array(rules)), style: .pretty)
  }

  private static func networking(_ port: UInt16) -> JSONValue {
    .record([
      "allow": .array([
        .record([
          "hosts": .strings(["127.0.0.1"]), "schemes": .strings(["http"]), "ports": .array([.integer(port)]),
          "methods": .strings(["GET", "POST", "PUT", "PATCH", "DELETE"]),
        ])
      ]),
      // A PreStage of 20,000 devices is longer than one frame carries.
      "responseBytes": .integer(BodyPart.largestBody),
      // A machine under load may starve the made-up server for longer than the default.
      "timeoutMilliseconds": .integer(120_000),
    ])
  }
}

extension JSONValue {
  /// The object with another value under a key, which is last where it is new.
  func setting(_ key: String, _ value: JSONValue) -> JSONValue {
    .object(((removing(key).members ?? []).map { ($0.key, $0.value) }) + [(key, value)])
  }

  /// The object without a key.
  func removing(_ key: String) -> JSONValue {
    .object((members ?? []).filter { $0.key != key }.map { ($0.key, $0.value) })
  }
}
