import ForsettiHostileSet
import ForsettiModuleKit

/// A good neighbour that never rests: round after round it reads what it keeps, writes to the listener and waits for the
/// answer, and publishes a numbered event. It notices whatever fails, is wrong, or does not come.
@MainActor
final class CallerModule: ForsettiModule {
  private static let secret = "kept by the caller"
  private static let pause = Duration.milliseconds(1)
  /// After so long an answer counts as lost.
  private static let patience = Duration.seconds(2)

  let manifest = HostileNeighbour.caller.manifest
  private var rounds: Task<Void, Never>?
  private var number = 0
  private var span = Span()
  /// The round that was answered last.
  private var echoed = 0
  private var waiting: CheckedContinuation<Bool, Never>?
  /// The number of the span that ends with the round under way.
  private var mark: Int?

  /// What was seen since the last mark.
  private struct Span {
    var begun = 0
    var lost = 0
    var times = LatencyHistogram()
  }

  func start(context: ForsettiContext) async throws {
    try await context.services.storage?.set(Self.secret, forKey: HostileNeighbour.secretKey, in: nil)
    _ = context.subscribeToMessages(HostileNeighbour.echoMessage) { [weak self] event in
      self?.receive(event.payload["number"])
    }
    _ = try await context.subscribe(to: HostileNeighbour.markEvent) { [weak self] event in
      self?.mark = event.payload["span"].flatMap { Int($0) }
    }
    rounds = Task { [weak self] in
      while !Task.isCancelled, let self {
        await self.round(context)
        try? await Task.sleep(for: Self.pause)
      }
    }
  }

  func stop(context: ForsettiContext) async { rounds?.cancel() }

  private func round(_ context: ForsettiContext) async {
    number += 1
    span.begun += 1
    let begin = ContinuousClock.now
    let isRight = await isStored(context)
    let isAnswered = await isEchoed(context)
    span.times.add(microseconds: (ContinuousClock.now - begin) / .microseconds(1))
    span.lost += (isRight ? 0 : 1) + (isAnswered ? 0 : 1)
    // For a thief to be had: whoever provides the role, its answer is of no interest.
    if number.isMultiple(of: 16) { _ = try? await context.services.security?.grants() }
    let ended = mark
    mark = nil
    var payload = ["number": "\(number)"]
    payload["span"] = ended.map { "\($0)" }
    try? await context.publishEvent(type: HostileNeighbour.tickEvent, payload: payload)
    if let ended { await report(ended, context) }
  }

  private func isStored(_ context: ForsettiContext) async -> Bool {
    do {
      guard let storage = context.services.storage else { return false }
      if number.isMultiple(of: 256) {
        try await storage.set(Self.secret, forKey: HostileNeighbour.secretKey, in: nil)
      }
      return try await storage.value(forKey: HostileNeighbour.secretKey, in: nil) == Self.secret
    } catch { return false }
  }

  private func isEchoed(_ context: ForsettiContext) async -> Bool {
    let expected = number
    let timer = Task { [weak self] in
      try await Task.sleep(for: Self.patience)
      self?.wake(expected, isRight: false)
    }
    defer { timer.cancel() }
    do {
      try await context.sendMessage(
        to: HostileNeighbour.listener.moduleID, type: HostileNeighbour.echoMessage,
        payload: ["number": "\(expected)"])
    } catch { return false }
    return await withCheckedContinuation { continuation in
      // The answer may be here already.
      if echoed == expected { continuation.resume(returning: true) } else { waiting = continuation }
    }
  }

  private func receive(_ text: String?) {
    echoed = text.flatMap { Int($0) } ?? echoed
    wake(echoed, isRight: true)
  }

  private func wake(_ round: Int, isRight: Bool) {
    guard round == number else { return }
    waiting?.resume(returning: isRight)
    waiting = nil
  }

  private func report(_ number: Int, _ context: ForsettiContext) async {
    let report = NeighbourReport(span: number, count: span.begun, lost: span.lost, times: span.times)
    span = Span()
    try? await context.publishEvent(type: HostileNeighbour.caller.reportEvent, payload: report.payload)
  }
}
