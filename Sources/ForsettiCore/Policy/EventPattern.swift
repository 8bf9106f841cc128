/// Names event types in a policy: an exact type, `prefix.*`, or `*`. Where it begins with `{moduleID}`, that
/// stands for the ID of the module the rule is applied to. Types compare without ASCII case.
public struct EventPattern: Sendable, Hashable {
  /// Stands for the module's own ID at the beginning of a pattern.
  public static let ownID = "{moduleID}"

  /// As the policy writes it.
  public let text: String

  /// Reads a pattern; the error is one line for people.
  public init(_ text: String) throws(EventPatternFault) {
    var body = Substring(text)
    if body.hasPrefix(Self.ownID) {
      body = body.dropFirst(Self.ownID.count)
      guard body.first == "." else {
        throw EventPatternFault(reason: "\"{moduleID}\" is followed by \".*\" or by a dot and a name")
      }
      body = body.dropFirst()
    }
    let parts = body.split(separator: ".", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() where part != "*" || index < parts.count - 1 {
      guard !part.isEmpty else { throw EventPatternFault(reason: "an empty segment") }
      if part.utf8.contains(UInt8(ascii: "*")) {
        throw EventPatternFault(reason: "\"*\" stands at the end alone, as in \"com.example.*\"")
      }
      guard part.utf8.allSatisfy(Self.isNameByte) else {
        throw EventPatternFault(reason: "a segment has ASCII letters, digits, hyphens and underscores only")
      }
    }
    self.text = text
  }

  /// Whether the type lies in the reserved space, `forsetti.`, that modules never publish in.
  public static func isReserved(_ type: String) -> Bool {
    var type = type
    return type.withUTF8 { hasFolded(prefix: reserved, $0) }
  }

  private static let reserved = Array("forsetti.".utf8)

  /// Whether the bytes, in lower case, begin with a prefix that is in lower case. Asked for every event, so
  /// nothing is copied.
  static func hasFolded(prefix: some Collection<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= prefix.count else { return false }
    return zip(prefix, bytes).allSatisfy { $0 == ModulePattern.folded($1) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// The pattern as bytes to compare with, the module's ID put in.
  func resolved(for moduleID: String) -> [UInt8] {
    guard text.hasPrefix(Self.ownID) else { return ModulePattern.folded(text) }
    return ModulePattern.folded(moduleID + text.dropFirst(Self.ownID.count))
  }
}

/// Why a text is no event pattern.
public struct EventPatternFault: Error, Sendable, Hashable {
  /// One line.
  public var reason: String
}

/// What one module may publish and subscribe to; made once per activation, asked for every event.
public struct EventRules: Sendable, Hashable {
  /// Where the supervisor announces starts and stops; every module may read it unless its policy says otherwise.
  static let publicLifecycle = "forsetti.lifecycle.*"

  private let publish: [[UInt8]]
  private let subscribe: [[UInt8]]

  /// Resolves the patterns of a policy for one module; `nil` is silence, which means the module's own types
  /// and, to read, the public lifecycle ones (SPEC §5).
  init(moduleID: String, publish: [EventPattern]?, subscribe: [EventPattern]?) {
    let own = ModulePattern.folded(moduleID + ".*")
    self.publish = publish?.map { $0.resolved(for: moduleID) } ?? [own]
    self.subscribe =
      subscribe?.map { $0.resolved(for: moduleID) } ?? [own, ModulePattern.folded(Self.publicLifecycle)]
  }

  /// Whether the module may publish events of this type; never in the reserved space.
  public func mayPublish(_ type: String) -> Bool {
    !EventPattern.isReserved(type) && Self.covers(publish, type)
  }

  /// Whether the module may subscribe to a type, or to all types of `prefix.*`.
  public func maySubscribe(_ typeOrPrefix: String) -> Bool {
    Self.covers(subscribe, typeOrPrefix)
  }

  /// A pattern covers what goes on behind the text before its `*`; for `a.*` neither `a`, `a.` nor `ab.c`.
  private static func covers(_ patterns: [[UInt8]], _ wanted: String) -> Bool {
    var wanted = wanted
    return wanted.withUTF8 { bytes in
      patterns.contains { pattern in
        pattern.last == UInt8(ascii: "*")
          ? bytes.count >= pattern.count && EventPattern.hasFolded(prefix: pattern.dropLast(), bytes)
          : bytes.count == pattern.count && EventPattern.hasFolded(prefix: pattern, bytes)
      }
    }
  }
}
