/// A semantic version, ordered by SemVer 2.0 §11. In JSON it is an object, never a string.
public struct SemVer: Sendable, Hashable {
  /// First part; 0 to 2,147,483,647 when it comes from a file.
  public var major: Int
  /// Second part, in the same range.
  public var minor: Int
  /// Third part, in the same range.
  public var patch: Int
  /// SemVer §9 identifiers without the leading hyphen; `nil` for a release.
  public var prerelease: String?

  /// Makes a version; an empty prerelease counts as none.
  public init(major: Int, minor: Int, patch: Int, prerelease: String? = nil) {
    self.major = major
    self.minor = minor
    self.patch = patch
    self.prerelease = prerelease == "" ? nil : prerelease
  }
}
