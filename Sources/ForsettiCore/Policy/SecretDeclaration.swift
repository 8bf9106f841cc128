/// A secret that a module needs of a person, in the policy's words: the host asks for it on a form or a terminal of its
/// own, so that no module ever draws a field for one, and hands the values to that module alone.
public struct SecretDeclaration: Sendable, Hashable {
  /// One value that is asked for.
  public struct Field: Sendable, Hashable {
    /// How it is asked for; raw values are the names of the file.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// Seen while it is typed, such as a name or an address.
      case text
      /// Never seen, in no list and in no message.
      case secret
      /// The same, of several lines, such as a key of PEM.
      case multilineSecret
      /// One of a few.
      case choice

      /// Whether nobody sees it.
      public var isSecret: Bool { self == .secret || self == .multilineSecret }
    }

    /// The name of the value.
    public var fieldID: String
    /// What people read beside it.
    public var label: String
    /// How it is asked for.
    public var kind: Kind
    /// What a `choice` is one of; empty for the other kinds.
    public var choices: [String]
    /// Whether it must be filled in.
    public var isRequired: Bool

    /// Makes a field.
    public init(
      fieldID: String, label: String, kind: Kind, choices: [String] = [], isRequired: Bool = false
    ) {
      self.fieldID = fieldID
      self.label = label
      self.kind = kind
      self.choices = choices
      self.isRequired = isRequired
    }
  }

  /// The name by which people and the module know it.
  public var secretID: String
  /// The only module that is told it.
  public var moduleID: String
  /// What people read above its fields.
  public var title: String
  /// What it is made of, in the order in which it is asked for.
  public var fields: [Field]

  /// Makes a declaration.
  public init(secretID: String, moduleID: String, title: String, fields: [Field]) {
    self.secretID = secretID
    self.moduleID = moduleID
    self.title = title
    self.fields = fields
  }
}

/// Bounds of secrets; the policy and whoever hands values over are held to them.
public enum SecretLimits {
  /// Secrets that a policy may ask for.
  public static let secrets = 64
  /// Fields of one.
  public static let fields = 16
  /// Choices of a field.
  public static let choices = 32
  /// Bytes of the ID of a secret or a field.
  public static let identifier = 64
  /// Bytes of a title, a label or a choice.
  public static let label = 200
  /// Bytes of one value: a private key of PEM with its certificates.
  public static let valueBytes = 8_192
  /// Bytes of all values of one secret.
  public static let totalBytes = 32_768

  /// Whether a text may name a secret or a field: letters, digits, `-`, `_` and `.`, a letter first.
  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first), text.utf8.count <= identifier else { return false }
    return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "-_.".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
