import ForsettiCore
import ForsettiIPC

/// The open calls of one module that a collector is told of.
@ReactorActor final class SessionSpans {
  private struct Open {
    var span: CallSpan
    /// The reactor's time.
    var begin: UInt64
  }

  private let tracer: CallTracer
  private let moduleID: String
  private var open: [UInt64: Open] = [:]

  init(_ tracer: CallTracer, moduleID: String) {
    self.tracer = tracer
    self.moduleID = moduleID
  }

  /// A call begins, if its trace is told of. From here on its head names its own span, so that what the callee does for it
  /// is told as its children.
  func begin(
    _ id: UInt64, _ method: MethodInfo, _ head: inout CallHead, to route: ServiceRoutes.Route, now: UInt64
  ) {
    let parent = head.trace?.spanID
    guard let service = method.service, let context = context(in: head.trace) else { return }
    head.trace = context
    guard context.isSampled else { return }
    let begin = tracer.wallTime(of: now)
    open[id] = Open(
      span: CallSpan(
        context: context, parent: parent, method: method.name, service: service, moduleID: moduleID,
        provider: Self.provider(route), outcome: CallSpan.ok, begin: begin, end: begin),
      begin: now)
  }

  /// A call has ended, whichever it was.
  func end(_ id: UInt64, _ result: CallResult) {
    guard var call = open.removeValue(forKey: id) else { return }
    call.span.outcome = result.rawValue
    call.span.end = call.span.begin &+ (tracer.clock.now &- call.begin)
    tracer.add(call.span)
  }

  /// The span of a call whose caller places it in this trace, or in none, which begins one.
  private func context(in trace: TraceContext?) -> TraceContext? {
    guard let trace else { return tracer.root() }
    return tracer.span(in: trace)
  }

  private static func provider(_ route: ServiceRoutes.Route) -> String? {
    switch route {
    case .host: "host"
    case .module(let id): id
    case .unavailable: nil
    }
  }
}
