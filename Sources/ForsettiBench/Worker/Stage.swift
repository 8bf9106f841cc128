import ForsettiBenchSet
import ForsettiCore
import ForsettiIPC
import ForsettiRuntime
import Glibc

/// What the host has for the bench's modules: commands go to them and results come back through storage, and what is
/// hashed is echoed.
@ReactorActor
final class Stage {
  /// A module that has not answered by then never will.
  private static let patience: Duration = .seconds(60)

  private let subscribers: Int
  /// Modules that wait for a command, by ID.
  private var idle: [String: CheckedContinuation<String?, Never>] = [:]
  private var commands: [String: String] = [:]
  private var results: [String: CheckedContinuation<Result<String, BenchFailure>, Never>] = [:]
  private var nonces: [String: String] = [:]
  private var acknowledgements = 0
  private var isRight = true
  private var publisher: CheckedContinuation<String?, Never>?
  /// Whoever waits for something to come, by what it is.
  private var arrivals: [String: CheckedContinuation<Bool, Never>] = [:]
  private var hangingCalls = 0
  /// When a module's answer to its nonce came, and whether it was right.
  private var answers: [String: (time: ContinuousClock.Instant, isRight: Bool)] = [:]

  init(subscribers: Int) { self.subscribers = subscribers }

  /// The services, for a runtime that is to be opened.
  func services() -> ForsettiServiceContainer {
    var services = ForsettiServiceContainer()
    services.register((any StorageService).self) { [self] caller in
      StageStorage(stage: self, moduleID: caller.moduleID)
    }
    let spoils = getenv("PEERS_CORRUPT") != nil
    var answered = 0
    services.answer(CryptoUtilitiesMethods.sha256) { (request, _) throws(ServiceError) in
      var bytes = request.bytes
      BenchPayload.answer(&bytes)
      answered += 1
      if spoils, answered >= 10 { bytes[bytes.count / 2] ^= 1 }
      return Bytes(bytes)
    }
    return services
  }

  // MARK: Starts

  /// When a module answered its nonce.
  /// - Throws: when it has not, or wrongly.
  func answer(of id: String) throws(BenchFailure) -> ContinuousClock.Instant {
    guard let answer = answers[id] else { throw BenchFailure("\(id) has not answered") }
    guard answer.isRight else { throw BenchFailure("wrong payload in the first answer") }
    return answer.time
  }

  /// Waits until a module has answered its nonce, and says when.
  /// - Throws: when it did not within the patience, or wrongly.
  func nextAnswer(of id: String) async throws(BenchFailure) -> ContinuousClock.Instant {
    try await wait(for: "answer \(id)") { answers[id] != nil }
    return try answer(of: id)
  }

  /// Waits until a call hangs in the provider.
  func hangingCall() async throws(BenchFailure) {
    try await wait(for: "hanging") { hangingCalls > 0 }
    hangingCalls -= 1
  }

  private func wait(for key: String, until isThere: () -> Bool) async throws(BenchFailure) {
    guard !isThere() else { return }
    let watchdog = Task {
      try await Task.sleep(for: Self.patience)
      arrivals.removeValue(forKey: key)?.resume(returning: false)
    }
    defer { watchdog.cancel() }
    let isHere = await withCheckedContinuation { arrivals[key] = $0 }
    guard isHere else { throw BenchFailure("\(key): nothing came") }
  }

  /// Forgets that a module has answered: it is to be started anew.
  func forget(_ id: String) { answers[id] = nil }

  // MARK: Commands

  /// Has a module do something; returns what came of it.
  func ask(_ module: BenchModule, _ command: String) async throws(BenchFailure) -> Figure {
    let id = module.moduleID
    let watchdog = Task {
      try await Task.sleep(for: Self.patience)
      finish(id, .failure(BenchFailure("\(id) did not answer")))
    }
    let result = await withCheckedContinuation { waiter in
      results[id] = waiter
      if let module = idle.removeValue(forKey: id) {
        module.resume(returning: command)
      } else {
        commands[id] = command
      }
    }
    watchdog.cancel()
    return try Figure(line: try result.get())
  }

  private func finish(_ id: String, _ result: Result<String, BenchFailure>) {
    results.removeValue(forKey: id)?.resume(returning: result)
  }

  // MARK: What modules read and write

  func value(_ key: String, of id: String) async -> String? {
    switch key {
    case "command":
      if let command = commands.removeValue(forKey: id) { return command }
      return await withCheckedContinuation { waiter in
        // An earlier one has run into its deadline.
        idle.updateValue(waiter, forKey: id)?.resume(returning: nil)
      }
    case "nonce":
      let random = String(UInt64.random(in: .min ... .max), radix: 36)
      let nonce = getenv("PEERS_CORRUPT") == nil ? random : BenchPayload.spoiler + random
      nonces[id] = nonce
      return nonce
    case "acknowledged":
      if acknowledgements >= subscribers { return takeAcknowledgements() }
      return await withCheckedContinuation { waiter in
        publisher.take()?.resume(returning: nil)
        publisher = waiter
      }
    default: return nil
    }
  }

  func set(_ value: String, _ key: String, of id: String) {
    switch key {
    case "result": finish(id, .success(value))
    case "answer":
      let nonce = nonces.removeValue(forKey: id)
      answers[id] = (.now, nonce.map { BenchPayload.answer(nonce: $0) } == value)
      arrivals.removeValue(forKey: "answer \(id)")?.resume(returning: true)
    case "hanging":
      hangingCalls += 1
      arrivals.removeValue(forKey: "hanging")?.resume(returning: true)
    case "acknowledge":
      acknowledgements += 1
      if value != "yes" { isRight = false }
      guard acknowledgements >= subscribers, let publisher = publisher.take() else { return }
      publisher.resume(returning: takeAcknowledgements())
    default: break
    }
  }

  private func takeAcknowledgements() -> String {
    acknowledgements -= subscribers
    return isRight ? "yes" : "no"
  }
}

/// One module's way to the stage.
private struct StageStorage: StorageService {
  let stage: Stage
  let moduleID: String

  func set(_ value: String, forKey key: String, in store: String?) async throws(ServiceError) {
    await stage.set(value, key, of: moduleID)
  }

  func value(forKey key: String, in store: String?) async throws(ServiceError) -> String? {
    await stage.value(key, of: moduleID)
  }

  func removeValue(forKey key: String, in store: String?) async throws(ServiceError) {}

  func keys(
    prefix: String, after cursor: String?, in store: String?
  ) async throws(ServiceError) -> [String] { [] }
}
