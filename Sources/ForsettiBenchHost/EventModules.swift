import ForsettiBenchSet
import ForsettiModuleKit

/// Publishes events in batches, each of which every subscriber has checked and acknowledged before the next.
@MainActor
final class PublisherModule: ForsettiModule {
  let manifest = BenchModule.publisher.manifest
  private var task: Task<Void, Never>?
  private var sequence: UInt64 = 0
  private var text = BenchText()

  func start(context: ForsettiContext) async throws {
    let control = try Control(context)
    task = Task { [weak self] in
      await control.serve { measure, seconds in
        guard let self else { throw BenchFailure("stopped") }
        switch measure {
        case "events": return try await self.events(seconds, context, control)
        // So many, in one batch; the time is of no interest.
        case "batch":
          try await self.publish(context, control)
          return Figure(Double(BenchModule.eventBatch))
        case "spoil":
          try await self.publish(context, control, isSpoiled: true)
          return Figure(0)
        default: throw BenchFailure("no such measure: \(measure)")
        }
      }
    }
  }

  func stop(context: ForsettiContext) async { task?.cancel() }

  /// Events a second that one subscriber receives.
  private func events(_ seconds: Double, _ context: ForsettiContext, _ control: Control) async throws
    -> Figure
  {
    let warm = now() + CallerModule.warmUp
    let end = warm + UInt64(seconds * 1e9)
    var samples: [Double] = []
    while samples.count < 5 || now() < end {
      let before = now()
      try await publish(context, control)
      if before >= warm { samples.append(Double(BenchModule.eventBatch) * 1e9 / Double(now() - before)) }
    }
    guard let figure = Figure(samples: samples, highIsBad: false) else { throw BenchFailure("no samples") }
    return figure
  }

  private func publish(_ context: ForsettiContext, _ control: Control, isSpoiled: Bool = false) async throws {
    for _ in 0..<BenchModule.eventBatch {
      sequence += 1
      text.number(sequence)
      let spoils = isSpoiled && sequence % 10 == 0
      try await context.publishEvent(
        type: BenchModule.eventType, payload: ["text": text.text(isSpoiled: spoils)])
    }
    try await control.acknowledged()
  }
}

/// Checks every event, and acknowledges each batch.
@MainActor
final class SubscriberModule: ForsettiModule {
  let manifest: ModuleManifest
  private var sequence: UInt64 = 0
  private var expected = BenchText()
  private var isRight = true

  init(_ module: BenchModule) { manifest = module.manifest }

  func start(context: ForsettiContext) async throws {
    let control = try Control(context)
    // Strong: the module lives as long as its process.
    _ = try await context.subscribe(to: BenchModule.eventType) { event in
      if self.receive(event) { Task { try? await control.acknowledge(self.isRight) } }
    }
  }

  func stop(context: ForsettiContext) async {}

  /// Looks at an event; true where it ends a batch.
  private func receive(_ event: ForsettiEvent) -> Bool {
    sequence += 1
    expected.number(sequence)
    let text = event.payload["text"] ?? ""
    if event.payload.count != 1 || event.sourceModuleID != BenchModule.publisher.moduleID
      || !expected.matches(text)
    {
      isRight = false
    }
    return sequence % UInt64(BenchModule.eventBatch) == 0
  }
}
