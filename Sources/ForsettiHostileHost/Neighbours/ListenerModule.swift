import ForsettiHostileSet
import ForsettiModuleKit

/// The caller's partner: sends each message back, and holds the events to their numbers.
@MainActor
final class ListenerModule: ForsettiModule {
  let manifest = HostileNeighbour.listener.manifest
  private var last: Int?
  private var heard = 0
  private var lost = 0

  func start(context: ForsettiContext) async throws {
    _ = context.subscribeToMessages(HostileNeighbour.echoMessage) { event in
      try? await context.sendMessage(
        to: HostileNeighbour.caller.moduleID, type: HostileNeighbour.echoMessage,
        payload: ["number": event.payload["number"] ?? ""])
    }
    _ = try await context.subscribe(to: HostileNeighbour.tickEvent) { event in
      await self.hear(event, context)
    }
  }

  func stop(context: ForsettiContext) async {}

  private func hear(_ event: ForsettiEvent, _ context: ForsettiContext) async {
    heard += 1
    let number = event.payload["number"].flatMap { Int($0) }
    let isRight =
      event.sourceModuleID == HostileNeighbour.caller.moduleID && number != nil
      && (last.map { $0 + 1 == number } ?? true)
    if !isRight { lost += 1 }
    last = number ?? last
    guard let span = event.payload["span"].flatMap({ Int($0) }) else { return }
    let report = NeighbourReport(span: span, count: heard, lost: lost)
    (heard, lost) = (0, 0)
    try? await context.publishEvent(type: HostileNeighbour.listener.reportEvent, payload: report.payload)
  }
}
