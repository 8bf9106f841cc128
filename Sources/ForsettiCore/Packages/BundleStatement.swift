/// What whoever signs a bundle signs: not its files but a statement about them, which anyone can make from the files
/// (docs/third-party.md). The verifier makes it anew, so nothing of a stranger's text is ever parsed.
public struct BundleStatement: Sendable, Hashable {
  /// The module's ID.
  public var moduleID: String
  /// The module's version.
  public var version: SemVer
  /// SHA-256 of the manifest in RFC 8785 canonical form, lower-case hex.
  public var manifestSHA256: String
  /// SHA-256 of the executable, lower-case hex.
  public var executableSHA256: String

  /// Makes a statement.
  public init(moduleID: String, version: SemVer, manifestSHA256: String, executableSHA256: String) {
    self.moduleID = moduleID
    self.version = version
    self.manifestSHA256 = manifestSHA256
    self.executableSHA256 = executableSHA256
  }

  /// The text that is signed, to the byte. Its first line keeps it from meaning anything elsewhere.
  public var text: String {
    """
    Forsetti bundle statement 1
    moduleID: \(moduleID)
    version: \(version.description)
    manifest-sha256: \(manifestSHA256)
    executable-sha256: \(executableSHA256)

    """
  }
}
