/// Everything that is known of the end of one module process that nobody asked for: what a person needs to mend it, and
/// what a program needs to count it. A value; `CrashReportStore` keeps it as JSON (Resources/Schemas).
///
/// Texts that come from the module are kept as they came, bounded; whoever shows them escapes them.
public struct CrashReport: Sendable, Hashable {
  /// Names it; sorts by time.
  public var id: CrashReportID
  /// Which module.
  public var module: CrashedModule
  /// What it was granted.
  public var grants: [Capability]
  /// When its process ended, milliseconds since 1970.
  public var endedAt: Int64
  /// How long it had been active, milliseconds; 0 for one that never was.
  public var uptimeMilliseconds: Int64
  /// How and why it ended.
  public var exit: ModuleExit
  /// What its process left behind.
  public var evidence: CrashEvidence
  /// When the module ended unasked, this end included if it counts, milliseconds since 1970, oldest first.
  public var ends: [Int64]
  /// What follows.
  public var next: CrashSequel
  /// What would let the module do what it was ended for, or that nothing will; `nil` where its own fault ended it.
  public var wayOut: String?

  /// Makes a report.
  public init(
    id: CrashReportID, module: CrashedModule, grants: [Capability], endedAt: Int64, uptimeMilliseconds: Int64,
    exit: ModuleExit, evidence: CrashEvidence, ends: [Int64], next: CrashSequel, wayOut: String?
  ) {
    self.id = id
    self.module = module
    self.grants = grants
    self.endedAt = endedAt
    self.uptimeMilliseconds = uptimeMilliseconds
    self.exit = exit
    self.evidence = evidence
    self.ends = ends
    self.next = next
    self.wayOut = wayOut
  }

  /// When its process was made, milliseconds since 1970.
  public var startedAt: Int64 { endedAt - evidence.lifetimeMilliseconds }

  /// The runtime's last message; where it left none, as the traps of a release build do, the function that it stood in.
  public var lastWords: String? {
    evidence.message ?? evidence.backtrace.first?.function.map { "in \($0)" }
  }
}

/// What a report says of a module's manifest.
public struct CrashedModule: Sendable, Hashable {
  /// Its ID.
  public var moduleID: String
  /// Its name for people.
  public var displayName: String
  /// Its version, as text.
  public var version: String
  /// Service, UI or app.
  public var type: ModuleType
  /// `built-in`, `key:…` or `sha256:…`.
  public var origin: String
  /// Where its code begins.
  public var entryPoint: String
  /// SHA-256 of its manifest in canonical form.
  public var manifestSHA256: String
  /// What it asked for.
  public var capabilitiesRequested: [Capability]

  /// Takes the facts out of a manifest.
  public init(_ manifest: ModuleManifest, origin: ModuleOrigin, manifestSHA256: String) {
    moduleID = manifest.moduleID
    displayName = manifest.displayName
    version = manifest.moduleVersion.description
    type = manifest.moduleType
    self.origin = origin.text
    entryPoint = manifest.entryPoint
    self.manifestSHA256 = manifestSHA256
    capabilitiesRequested = manifest.capabilitiesRequested
  }

  /// Makes the facts one by one.
  public init(
    moduleID: String, displayName: String, version: String, type: ModuleType, origin: String,
    entryPoint: String, manifestSHA256: String, capabilitiesRequested: [Capability]
  ) {
    self.moduleID = moduleID
    self.displayName = displayName
    self.version = version
    self.type = type
    self.origin = origin
    self.entryPoint = entryPoint
    self.manifestSHA256 = manifestSHA256
    self.capabilitiesRequested = capabilitiesRequested
  }
}
