/// The isolation of everything that owns lifecycle and routing: one thread, so that its classes call
/// each other with no lock and no hop.
@globalActor public actor ReactorActor {
  /// The one instance.
  public static let shared = ReactorActor()

  /// The reactor thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    Reactor.shared.asUnownedSerialExecutor()
  }

  /// Runs `body` at once; traps off the reactor thread. The reactor's own loop enters isolation through this.
  static func assumeIsolated<Result>(_ body: @ReactorActor () throws -> Result) rethrows -> Result {
    shared.preconditionIsolated()
    // Unsafe: the type system has no way to shed a global actor, and the line above proved the isolation;
    // the standard library's MainActor.assumeIsolated does the same.
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: (() throws -> Result).self)()
    }
  }
}
