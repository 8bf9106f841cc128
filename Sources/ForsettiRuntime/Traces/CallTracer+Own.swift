import ForsettiCore

/// What the supervisor does of itself or for a person, as a span tells of it.
struct OwnStep {
  /// As in `api.request`, or `reload`.
  var name: String
  /// The role that is asked; `nil` where none is.
  var service: ServiceName?
  /// The person in whose name it is done; `nil` for the supervisor's own.
  var person: String?
  /// The module that is asked; `nil` where none is.
  var provider: String?
}

extension CallTracer {
  /// Does a step and tells of it, as the first span of a trace. What it asks of modules goes on with that.
  func tell<Value, Failure: Error>(
    _ step: OwnStep, outcome: (Failure) -> CallResult,
    _ work: (TraceContext?) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let context = root()
    let begin = clock.now
    let result: Result<Value, Failure>
    do throws(Failure) { result = .success(try await work(context)) } catch { result = .failure(error) }
    if let context, context.isSampled {
      let outcome: CallResult = if case .failure(let error) = result { outcome(error) } else { .ok }
      let start = wallTime(of: begin)
      add(
        CallSpan(
          context: context, parent: nil, method: step.name, service: step.service,
          moduleID: step.person ?? CallSpan.supervisor, provider: step.provider, outcome: outcome.rawValue,
          begin: start, end: start &+ (clock.now &- begin)))
    }
    return try result.get()
  }
}

extension ModuleBroker {
  /// Asks a module something, told of where a collector is.
  func told<Value>(
    _ step: OwnStep, _ work: (TraceContext?) async throws(ServiceError) -> Value
  ) async throws(ServiceError) -> Value {
    guard let tracer else { return try await work(nil) }
    return try await tracer.tell(step, outcome: { CallResult($0) }, work)
  }
}
