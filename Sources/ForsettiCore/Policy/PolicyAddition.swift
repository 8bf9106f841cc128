/// What a policy is to say more of one module, written into its text.
public struct PolicyAddition: Sendable, Hashable {
  /// The module.
  public var moduleID: String
  /// Whose code it is: the rule must be for that.
  public var origin: ModuleOrigin
  /// Direct grants to give.
  public var direct: Set<DirectGrant>
  /// Capabilities to grant.
  public var capabilities: Set<Capability>

  /// Makes an addition.
  public init(
    moduleID: String, origin: ModuleOrigin, direct: Set<DirectGrant> = [],
    capabilities: Set<Capability> = []
  ) {
    self.moduleID = moduleID
    self.origin = origin
    self.direct = direct
    self.capabilities = capabilities
  }

  /// A policy's text with the addition in the module's own rule, all else as it stands. Where no rule names the module
  /// alone, one is added: a wider rule is of others too.
  /// - Throws: what is wrong with the text.
  public func applied(to bytes: [UInt8]) throws(PolicyFaults) -> [UInt8] {
    let granted = try adding(capabilities.map(\.rawValue), at: ["grant"], to: bytes)
    guard !direct.isEmpty else { return granted }
    // A list takes the place of a weaker rule's, and is not added to it.
    let inherited = try PolicyDecoder.decode(bytes: bytes, file: "").sandbox(for: moduleID, origin: origin)
    return try adding(
      direct.union(inherited.direct).map(\.rawValue), at: ["sandbox", "direct"], to: granted)
  }

  /// Adds names to the array at a path inside the module's rule, those alone that are not in it.
  private func adding(
    _ names: [String], at path: [String], to bytes: [UInt8]
  ) throws(PolicyFaults) -> [UInt8] {
    let policy = try PolicyDecoder.decode(bytes: bytes, file: "")
    guard !names.isEmpty, let root = try? JSONParser.parse(bytes, limits: PolicyDecoder.limits).root else {
      return bytes
    }
    let names = names.sorted()
    let index = policy.rules.firstIndex {
      $0.pattern.isExact && $0.pattern.matches(moduleID) && $0.origin.admits(origin)
    }
    // A policy that was decoded has as many rules as its text.
    guard var container = index.flatMap({ root["rules"]?.elements?[$0] }) else {
      return addingRule(saying: Self.member(path, names), to: root, in: bytes)
    }
    for (depth, key) in path.enumerated() {
      guard let next = container[key] else {
        return JSONInsertion.adding(Self.member(Array(path[depth...]), names), to: container, in: bytes)
      }
      container = next
    }
    let known = (container.elements ?? []).compactMap(\.stringValue)
    let missing = names.filter { !known.contains($0) }.map { "\"\($0)\"" }
    guard !missing.isEmpty else { return bytes }
    return JSONInsertion.adding(missing.joined(separator: ", "), to: container, in: bytes)
  }

  private func addingRule(saying member: String, to root: JSONValue, in bytes: [UInt8]) -> [UInt8] {
    let origin =
      switch origin {
      case .builtIn: ""
      case .bundle(_, let key?): " \"origin\": { \"key\": \"\(key)\" },"
      case .bundle(let sha256, nil): " \"origin\": { \"sha256\": \"\(sha256)\" },"
      }
    let rule = "{ \"modules\": \"\(moduleID)\",\(origin) \(member) }"
    guard let rules = root["rules"] else {
      return JSONInsertion.adding("\"rules\": [\(rule)]", to: root, in: bytes)
    }
    return JSONInsertion.adding(rule, to: rules, in: bytes)
  }

  /// `"a": { "b": ["name"] }`.
  private static func member(_ path: [String], _ names: [String]) -> String {
    let array = "[" + names.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    return path.reversed().dropFirst().reduce("\"\(path.last ?? "")\": \(array)") { inner, key in
      "\"\(key)\": { \(inner) }"
    }
  }
}

extension DirectGrant {
  /// What whoever gives it should know.
  public var warning: String {
    switch self {
    case .threads:
      "the module may make threads: clone and five calls more reach the kernel from all of its code, and another thread "
        + "may change memory while a call waits; their number is held by a user of its own (root) or by pids.max alone"
    }
  }
}
