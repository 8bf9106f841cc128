import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

extension ControlOperations {
  /// All that is counted and measured, as OpenMetrics text. The items, one after the other, are the text.
  static let metrics = ControlOperation<NoValue, String, NoValue>("metrics", .read) {
    (_, call) throws(ControlFailure) in
    let context = call.context
    // A boot that has not come so far has no modules to tell of, and metrics all the same.
    let snapshot = MetricsSnapshot(
      bootState: context.bootstrap.state.name, uptimeMilliseconds: context.uptimeMilliseconds,
      supervisor: await ProcessFigures.ofSelf(),
      spans: await context.bootstrap.runtime.spanCounts() ?? SpanCounts(),
      modules: await context.bootstrap.runtime.moduleManager?.metrics() ?? [])
    // A thousand modules are some megabytes of text.
    for piece in await Reactor.inBackground({ snapshot.openMetrics() }) { try await call.stream.send(piece) }
    return NoValue()
  }
}
