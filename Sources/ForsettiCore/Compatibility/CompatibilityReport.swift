/// Everything the compatibility check found of one module (SPEC §2). Only an error makes it incompatible.
public struct CompatibilityReport: Sendable, Hashable {
  /// The module checked.
  public var moduleID: String
  /// Every finding, in the order of the checks.
  public var issues: [CompatibilityIssue]

  /// Makes a report.
  public init(moduleID: String, issues: [CompatibilityIssue]) {
    self.moduleID = moduleID
    self.issues = issues
  }

  /// Whether no issue is an error.
  public var isCompatible: Bool { !issues.contains { $0.severity == .error } }
}

/// One finding.
public struct CompatibilityIssue: Sendable, Hashable {
  /// What kind of finding; raw values are the seeds' names.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case invalidSchemaVersion, invalidManifestTemplateVersion, unsupportedPlatform
    case unsupportedForsettiVersion, capabilityDenied
  }

  /// How much it weighs.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    case info, warning, error
  }

  /// What kind of finding it is.
  public var code: Code
  /// How much it weighs.
  public var severity: Severity
  /// One line: what, where (a policy line where the policy decided), and the way out.
  public var message: String

  /// Makes an issue.
  public init(code: Code, severity: Severity, message: String) {
    self.code = code
    self.severity = severity
    self.message = message
  }
}
