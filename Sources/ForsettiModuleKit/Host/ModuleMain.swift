/// The `main` of a third party's module: one module, one executable, linked static (docs/third-party.md).
///
/// ```swift
/// @main enum Program {
///   @MainActor static func main() { ModuleMain.run { MyModule() } }
/// }
/// ```
///
/// When it begins the process is locked already: no file, no socket, one thread. What it may do comes by frame.
public enum ModuleMain {
  /// Runs this process as the module's until it ends. To be called first thing in `main`.
  /// - Parameter module: makes the module, once the supervisor asks what it is.
  @MainActor
  public static func run(_ module: @escaping @MainActor () throws -> any ForsettiModule) -> Never {
    ModuleHost.runLocked(module: module)
  }
}
