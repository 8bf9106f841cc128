/// What a person or the policy accepted of a module: the contract it is held to from its first activation on
/// (seed "Registration Records"; SPEC §3).
public struct ModuleRegistrationRecord: Sendable, Hashable {
  /// The accepted manifest: identity, schema, template, platforms, capabilities, role, requirements.
  public var manifest: ModuleManifest
  /// SHA-256 of the manifest's document in RFC 8785 canonical form, lower-case hex. It covers unknown keys too.
  public var sha256: String
  /// Where the code comes from, as the policy names origins.
  public var origin: String
  /// SHA-256 of a bundle's executable, lower-case hex; `nil` for a built-in.
  public var executableSHA256: String?
  /// The origin under which its data is kept, where a person let this one take over another's; else `nil`.
  public var dataOrigin: String?
  /// Product version at registration; for information, a difference is no drift.
  public var productVersion: String
  /// Milliseconds since 1970-01-01 00:00 UTC.
  public var registeredAt: Int64

  /// Makes a record.
  public init(
    manifest: ModuleManifest, sha256: String, origin: String, executableSHA256: String? = nil,
    dataOrigin: String? = nil, productVersion: String, registeredAt: Int64
  ) {
    self.manifest = manifest
    self.sha256 = sha256
    self.origin = origin
    self.executableSHA256 = executableSHA256
    self.dataOrigin = dataOrigin
    self.productVersion = productVersion
    self.registeredAt = registeredAt
  }

  /// The module's ID.
  public var moduleID: String { manifest.moduleID }

  /// The record as a tree, for a store.
  public var jsonValue: JSONValue {
    .object(omittingAbsent: [
      ("manifest", manifest.jsonValue), ("sha256", .string(sha256)), ("origin", .string(origin)),
      ("executableSHA256", executableSHA256.map { .string($0) }),
      ("dataOrigin", dataOrigin.map { .string($0) }),
      ("productVersion", .string(productVersion)), ("registeredAt", .integer(registeredAt)),
    ])
  }

  /// Reads a record back; a fault names what is wrong with it.
  public init(jsonValue: JSONValue) throws(JSONFault) {
    let root = JSONCursor(jsonValue)
    manifest = try ManifestDecoder.decode(value: root.required("manifest").value)
    sha256 = try root.required("sha256").string()
    origin = try root.required("origin").string()
    executableSHA256 = try root.optional("executableSHA256")?.string()
    dataOrigin = try root.optional("dataOrigin")?.string()
    productVersion = try root.required("productVersion").string()
    registeredAt = try root.required("registeredAt").integer(in: 0...Int64.max)
  }
}

/// How a module differs from its record.
public struct RegistrationDrift: Sendable, Hashable {
  /// One difference.
  public struct Change: Sendable, Hashable {
    /// Name of the field: one of `ModuleManifest.fields`, `origin`, `executable` or `sha256`.
    public var field: String
    /// What was accepted, for people.
    public var old: String
    /// What is there now, for people.
    public var new: String

    /// Makes a change.
    public init(field: String, old: String, new: String) {
      self.field = field
      self.old = old
      self.new = new
    }
  }

  /// The module's ID.
  public var moduleID: String
  /// Every difference; fields in the order of SPEC §1, then origin, executable and hash.
  public var changes: [Change]
  /// Whether a bundle's version is lower than the registered one: drift that `onDrift: accept` doesn't cover.
  public var isDowngrade: Bool
  /// Whether the code comes from another origin, so that `accept` must ask what becomes of the data.
  public var isOriginChanged: Bool

  /// The differences between a record and what is there now; `nil` where there is none. The product version is
  /// not compared: neither rebuild nor upgrade alone is drift.
  public static func between(
    _ record: ModuleRegistrationRecord, and manifest: ModuleManifest, sha256: String, origin: String,
    executableSHA256: String? = nil
  ) -> RegistrationDrift? {
    var changes: [Change] = []
    for (old, new) in zip(record.manifest.fields, manifest.fields) where !old.isSame(as: new) {
      if old.name == ioField {
        changes += entryChanges(record.manifest.runtimeRequirements.io, manifest.runtimeRequirements.io)
      } else {
        changes.append(Change(field: old.name, old: whole(old.text), new: whole(new.text)))
      }
    }
    let isOriginChanged = !record.origin.hasSameScalars(as: origin)
    if isOriginChanged {
      changes.append(Change(field: "origin", old: record.origin.plain(), new: origin.plain()))
    }
    if record.executableSHA256 != executableSHA256 {
      changes.append(
        Change(
          field: "executable", old: record.executableSHA256?.plain() ?? "absent",
          new: executableSHA256?.plain() ?? "absent"))
    }
    if record.sha256 != sha256 {
      changes.append(Change(field: "sha256", old: record.sha256.plain(), new: sha256.plain()))
    }
    guard !changes.isEmpty else { return nil }
    let isBundle = executableSHA256 != nil
    return RegistrationDrift(
      moduleID: record.moduleID, changes: changes,
      isDowngrade: isBundle && manifest.moduleVersion < record.manifest.moduleVersion,
      isOriginChanged: isOriginChanged)
  }

  private static let ioField = "runtimeRequirements.io"

  /// Entry by entry, so that one flag among forty entries is seen.
  private static func entryChanges(_ old: [IORequirement], _ new: [IORequirement]) -> [Change] {
    (0..<max(old.count, new.count)).compactMap { index in
      let before = index < old.count ? old[index] : nil
      let after = index < new.count ? new[index] : nil
      guard before != after else { return nil }
      return Change(
        field: "\(ioField)[\(index)]", old: whole(before.map { JSONWriter.text($0.jsonValue) }),
        new: whole(after.map { JSONWriter.text($0.jsonValue) }))
    }
  }

  /// Never cut: it is what a person is asked to accept. A manifest is bounded as a whole.
  private static func whole(_ text: String?) -> String { text?.plain(limit: 1 << 18) ?? "absent" }

  /// One line for `registrationMismatch`: the names of what changed, and whether it goes back.
  public var reason: String {
    var names: [String] = []
    for change in changes {
      // Many entries of one list are told of once.
      let name = change.field.split(separator: "[").first.map(String.init) ?? change.field
      if names.last != name { names.append(name) }
    }
    // The hash changes with every other field of the manifest: it is told where it alone says something changed.
    if names.count > 1, names.last == "sha256" { names.removeLast() }
    if names == ["sha256"] { return "changed since it was registered: keys outside the model (sha256)" }
    let text = "changed since it was registered: " + names.joined(separator: ", ")
    return isDowngrade ? text + "; its version is lower than the registered one" : text
  }
}
