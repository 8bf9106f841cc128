extension Reactor {
  /// Starts a task whose every step runs on the reactor thread. A plain `Task` with a `@ReactorActor` closure resumes
  /// through the default executor's pool and hops back, twice for each wait.
  @discardableResult
  static func task<Success: Sendable>(
    _ body: @escaping @Sendable @ReactorActor () async -> Success
  ) -> Task<Success, Never> {
    Task(executorPreference: Reactor.shared) { await body() }
  }
}
