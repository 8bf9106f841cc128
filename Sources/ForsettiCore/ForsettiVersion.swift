/// The framework version that manifests are checked against (SPEC, head).
public enum ForsettiVersion {
  /// Version of this build.
  public static let current = SemVer(major: 0, minor: 2, patch: 0)
}
