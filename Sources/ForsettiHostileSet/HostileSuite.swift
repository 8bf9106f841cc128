/// Every hostile case there is.
public enum HostileSuite {
  /// In the order in which they are run.
  public static let cases = systemCalls + crashes + conversation + floods + manners + bundles

  /// Those that need no more than the kernel to try it.
  public static let systemCalls = reaching + escaping + memory

  /// The case of a name.
  public static func named(_ name: String) -> HostileCase? { cases.first { $0.name == name } }
}
