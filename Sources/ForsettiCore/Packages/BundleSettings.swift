/// Where the modules of third parties are, and how large one may be (SPEC §2). Whose they may be is said by the rules
/// that name an origin.
public struct BundleSettings: Sendable, Hashable {
  /// Least and greatest limit on an executable, bytes.
  static let executableRange: ClosedRange<Int64> = 4_096...(1 << 30)

  /// The folder of bundles, one folder `ID` each; a relative path starts at the policy's folder, `nil` stands for
  /// `bundles` in the state folder.
  public var folder: String?
  /// The largest executable that is read, bytes.
  public var executableBytes: Int

  /// Makes settings; the defaults are those of a policy that says nothing.
  public init(folder: String? = nil, executableBytes: Int = 64 << 20) {
    self.folder = folder
    self.executableBytes = executableBytes
  }

  /// Where bundles are, for a policy in this folder and a state folder.
  public func path(policyFolder: String, stateFolder: String) -> String {
    guard let folder else { return stateFolder + "/bundles" }
    return folder.hasPrefix("/") ? folder : policyFolder + "/" + folder
  }
}
