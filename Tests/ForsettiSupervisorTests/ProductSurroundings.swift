import Glibc

@testable import ForsettiSupervisor

extension Surroundings {
  /// What a command of this checkout finds around it, with the environment that a test gives it.
  static func product(environment: [String: String] = [:]) -> Surroundings {
    Surroundings(
      userID: geteuid(), environment: environment,
      installation: Installation(
        policy: Product.strictPolicy, manifests: Product.manifests, moduleHost: Product.moduleHost,
        hostileHost: Product.hostileHost),
      output: OutputStream(descriptor: 1, environment: [:]),
      errors: OutputStream(descriptor: 2, environment: [:]))
  }
}
