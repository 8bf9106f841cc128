/// Why manifests could not be loaded (seed "Failure Handling"; SPEC §1).
public enum ManifestLoaderError: Error, Sendable, Hashable {
  /// Why a manifests folder yields nothing.
  public enum NotFoundReason: Sendable, Hashable {
    case absent, notAFolder, nothingToLoad
    case unreadable(errno: Int32)
  }

  case manifestsDirectoryNotFound(path: String, why: NotFoundReason)
  case duplicateModuleID(moduleID: String, files: [String])
  case validationFailed(ManifestFault)
  case tooManyManifests(path: String, limit: Int)
  /// The file or a folder above it could be changed by somebody else.
  case untrustedFile(path: String, reason: String)
  /// The first fault of every bad file, in file order.
  case several([ManifestLoaderError])
}

/// The first fault of one manifest file.
public struct ManifestFault: Error, Sendable, Hashable {
  /// Last component of the path.
  public var file: String
  /// RFC 6901 JSON Pointer to the value at fault; empty for the whole document.
  public var pointer: String
  /// 1-based; 0 where the fault has no place.
  public var line: Int
  /// 1-based, in Unicode scalars; 0 where the fault has no place.
  public var column: Int
  /// One line: what is wrong, and the nearest valid value where one is near.
  public var reason: String

  /// Makes a fault.
  public init(file: String, pointer: String, line: Int, column: Int, reason: String) {
    self.file = file
    self.pointer = pointer
    self.line = line
    self.column = column
    self.reason = reason
  }
}
