internal import ForsettiModuleKit

/// Where in an answer a secret stands: servers of different ages name it differently.
struct SecretKeys: Sendable, Equatable {
  /// For people.
  var title: String
  /// Names of the member, the likeliest first.
  var exact: [String]
  /// Parts of names that are good enough, where none of those is there.
  var fragments: [String]

  static let recoveryKey = SecretKeys(
    title: "FileVault recovery key", exact: ["personalRecoveryKey", "recoveryKey", "individualRecoveryKey"],
    fragments: ["recoverykey"])
  static let recoveryLock = SecretKeys(
    title: "Recovery lock password", exact: ["recoveryLockPassword", "password"],
    fragments: ["recoverylock", "password"])
  static let pin = SecretKeys(
    title: "Device lock PIN", exact: ["pin", "deviceLockPin", "passcode"], fragments: ["pin", "passcode"])
  static let localPassword = SecretKeys(
    title: "Local administrator's password", exact: ["password", "lapsPassword"], fragments: ["password"])

  /// The secret in an answer; nothing where there is none. The order of members doesn't matter.
  func secret(in answer: JSONValue) -> SupportSecret? {
    if let alone = Self.text(answer) { return SupportSecret(title: title, value: alone) }
    var scalars: [Scalar] = []
    Self.collect(answer, depth: 0, into: &scalars)
    scalars.sort { ($0.depth, $0.key, $0.text) < ($1.depth, $1.key, $1.text) }
    for name in exact {
      if let hit = scalars.first(where: { $0.key == Self.plainKey(name) }) {
        return SupportSecret(title: title, value: hit.text)
      }
    }
    let likely = scalars.filter { scalar in
      !Self.isMetadata(scalar.key) && fragments.contains { scalar.key.contains($0) }
    }
    return likely.first.map { SupportSecret(title: title, value: $0.text) }
  }

  private struct Scalar {
    var depth: Int
    var key: String
    var text: String
  }

  /// Scalars of one answer that are looked at.
  private static let limit = 1_024
  /// Bytes of a secret at most: longer texts are something else.
  private static let secretLimit = 512

  private static func collect(_ value: JSONValue, depth: Int, into scalars: inout [Scalar]) {
    for element in value.elements ?? [] { collect(element, depth: depth + 1, into: &scalars) }
    for member in value.members ?? [] {
      guard scalars.count < limit else { return }
      if let text = text(member.value) {
        scalars.append(Scalar(depth: depth, key: plainKey(member.key), text: text))
      } else {
        collect(member.value, depth: depth + 1, into: &scalars)
      }
    }
  }

  /// A secret is shown as it is: trimming or shortening it would make it another one.
  private static func text(_ value: JSONValue) -> String? {
    if let integer = value.integerValue { return String(integer) }
    guard let text = value.stringValue, !text.isBlank, text.utf8.count <= secretLimit else { return nil }
    return text
  }

  private static func plainKey(_ key: String) -> String {
    key.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
  }

  /// What is said about a secret, or tells whose it is, is not the secret.
  private static func isMetadata(_ key: String) -> Bool {
    let about = [
      "valid", "status", "state", "expir", "timestamp", "date", "time", "present", "count", "type", "name",
      "guid",
    ]
    return key.hasSuffix("id") || about.contains { key.contains($0) }
  }
}
