/// Entry points and the factories behind them (seed "Registry Contract"). Names are case-sensitive.
@MainActor
public final class ModuleRegistry {
  /// Makes a module that is not started.
  public typealias Factory = @MainActor () -> any ForsettiModule

  private var factories: [String: Factory] = [:]

  /// Makes an empty registry.
  public nonisolated init() {}

  /// Puts a factory behind an entry point. Throws `duplicateEntryPoint` where there is one, unless told to replace.
  public func register(
    entryPoint: String, replacingExisting: Bool = false, factory: @escaping Factory
  ) throws(ModuleRegistryError) {
    guard replacingExisting || factories[entryPoint] == nil else {
      throw .duplicateEntryPoint(entryPoint)
    }
    factories[entryPoint] = factory
  }

  /// Makes a new module. Throws `entryPointNotRegistered`.
  public func makeModule(entryPoint: String) throws(ModuleRegistryError) -> any ForsettiModule {
    guard let factory = factories[entryPoint] else { throw .entryPointNotRegistered(entryPoint) }
    return factory()
  }

  /// Every entry point, sorted by Unicode scalars.
  public var registeredEntryPoints: [String] { factories.keys.sorted() }
}

/// What a registry refuses.
public enum ModuleRegistryError: Error, Sendable, Hashable, CustomStringConvertible {
  case entryPointNotRegistered(String)
  case duplicateEntryPoint(String)

  /// One line for people.
  public var description: String {
    switch self {
    case .entryPointNotRegistered(let name):
      "No module is registered under the entry point \(name); register a factory or mend the manifest."
    case .duplicateEntryPoint(let name):
      "The entry point \(name) is taken; pick another, or say that it replaces the present one."
    }
  }
}
