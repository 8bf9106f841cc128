import ForsettiModuleKit

/// What module code does with services, events and messages; the test answers as the supervisor.
let callProbes: [Probe] = [
  Probe(name: "Storage") { context in
    guard let storage = context.services.storage else { throw Mismatch("no storage") }
    try await storage.set("v", forKey: "k", in: nil)
    try expect(try await storage.value(forKey: "k", in: "notes"), "v", "the value")
    try expect(try await storage.value(forKey: "none", in: nil), nil, "the value of no key")
    try await storage.removeValue(forKey: "k", in: nil)
    try expect(try await storage.keys(prefix: "a", after: "ab", in: nil), ["abc", "ad"], "the keys")
  },
  Probe(name: "Ungranted") { context in
    for _ in 0..<2 {
      try expect(context.services.networking == nil, true, "networking")
      try expect(context.services.resolve(Int.self), nil, "a service that is none")
    }
    try expect(context.services.resolve((any StorageService).self) != nil, true, "storage")
  },
  Probe(name: "Failures") { context in
    for wanted in everyServiceError {
      let found = await serviceError {
        try await context.services.crypto.sha256([1])
      }
      try expect(found, wanted, "the error")
    }
  },
  Probe(name: "Trace") { context in
    _ = try await context.services.crypto.sha256([1])
    _ = try await context.services.crypto.sha256([2])
  },
  Probe(name: "TimesOut") { context in
    let services = context.services(timeout: .milliseconds(20))
    let found = await serviceError { try await services.crypto.sha256([1]) }
    try expect(found, .deadlineExceeded, "the error of a call that nobody answers")
    // The supervisor answers the first together with the second.
    _ = try await context.services.crypto.sha256([2])
    try expect(context.lateAnswers, 1, "late answers")
  },
  Probe(name: "TakenBack") { context in
    let task = Task { await serviceError { try await context.services.crypto.sha256([1]) } }
    await Task.yield()
    task.cancel()
    task.cancel()
    try expect(await task.value, .cancelled, "the error of a call taken back")
    let early = Task { await serviceError { try await context.services.crypto.sha256([9]) } }
    early.cancel()
    try expect(await early.value, .cancelled, "the error of a call that was never made")
    _ = try await context.services.crypto.sha256([2])
    try expect(context.lateAnswers, 2, "late answers")
  },
  Probe(name: "LeftOpen") { context in
    Task { try await context.services.crypto.sha256([1]) }
  },
  Probe(name: "ManyCalls") { context in
    let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<10_000 {
        group.addTask {
          let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 600)
          return try await context.services.crypto.sha256(bytes) == [UInt8(truncatingIfNeeded: number)]
        }
      }
      var answered = 0
      for try await isRight in group where isRight { answered += 1 }
      return answered
    }
    try expect(answered, 10_000, "calls answered")
  },
  Probe(name: "TooLarge") { context in
    let found = await serviceError {
      try await context.services.crypto.sha256(.init(repeating: 0, count: 2 << 20))
    }
    try expect(found, .tooLarge(limit: 1 << 20), "two megabytes")
    let sql = await serviceError {
      guard let database = context.services.sharedDatabase else { return }
      _ = try await database.transaction(.init(repeating: SQLStatement("x"), count: 257))
    }
    try expect(sql, .tooLarge(limit: 256), "257 statements")
  },
  Probe(name: "WrongAnswer") { context in
    guard
      case .failed("malformed_reply", _) = await serviceError({
        try await context.services.crypto.sha256([1])
      })
    else { throw Mismatch("an answer of another type was taken") }
  },
  Probe(name: "Events") { context in
    let token = try await context.subscribe(to: "com.Example.*") { event in
      // The next event must wait, however long this takes.
      for _ in 0..<(Int(event.payload["yields"] ?? "") ?? 0) { await Task.yield() }
      context.logger.info(
        "\(event.type) \(event.payload["n"] ?? "") from \(event.sourceModuleID ?? "the runtime")")
    }
    context.onEventsDropped { count in context.logger.info("dropped \(count)") }
    let denied = await serviceError { try await context.subscribe(to: "secret.*") { _ in } }
    try expect(denied, .serviceDenied(.policy, detail: "no"), "the error of a subscription")
    _ = context.subscribeToMessages("bye") { _ in
      // Once is enough, and twice no more than that.
      token.cancel()
      token.cancel()
      context.logger.info("cancelled")
    }
  },
  Probe(name: "Messages") { context in
    let token = context.subscribeToMessages("greeting") { message in
      let target = message.payload[ForsettiEvent.targetModuleIDKey] ?? "nobody"
      context.logger.info("\(message.payload["text"] ?? "") to \(target)")
    }
    _ = context.subscribeToMessages("enough") { _ in token.cancel() }
    try await context.sendMessage(to: "com.example.other", type: "greeting", payload: ["text": "hello"])
    let refused = await serviceError { try await context.sendMessage(to: "com.example.gone", type: "x") }
    try expect(
      refused, .serviceUnavailable(role: "com.example.gone", why: "not active"), "the error of a message")
    let reserved = await serviceError {
      try await context.sendMessage(to: "a.b", type: "x", payload: ["_forsetti.targetModuleID": "c.d"])
    }
    guard case .invalidArgument = reserved else { throw Mismatch("a reserved key was sent") }
  },
  Probe(name: "SlowHandler") { context in
    _ = try await context.subscribe(to: "*") { event in
      if event.payload["n"] == "0" { await context.waitForDrop() }
      context.logger.info("handled \(event.payload["n"] ?? "")")
    }
  },
]

/// One of every case, with texts of every kind.
let everyServiceError: [ServiceError] =
  ServiceError.Denial.allCases.map { .serviceDenied($0, detail: "why \($0.rawValue)") } + [
    .serviceUnavailable(role: "api", why: "not active"), .moduleCrashed(moduleID: "com.example.b"),
    .deadlineExceeded, .cancelled, .quotaExceeded("keys"), .rateLimited(retryAfterMilliseconds: .max),
    .invalidArgument(name: "key", reason: "ünïcode \u{1F600}"), .notFound(""), .tooLarge(limit: .max),
    .failed(code: "tls", message: "no\nluck"), .moduleCommunicationDenied(reason: "self"),
    .targetUnavailable(moduleID: "com.example.b"),
  ]

extension ForsettiServiceProviding {
  /// For probes that were granted it.
  fileprivate var crypto: any CryptoUtilitiesService { cryptoUtilities ?? NoCrypto() }
}

private struct NoCrypto: CryptoUtilitiesService {
  private var error: ServiceError { .failed(code: "probe", message: "crypto_utilities is not granted") }

  func random(count: Int) async throws(ServiceError) -> [UInt8] { throw error }
  func sha256(_ data: [UInt8]) async throws(ServiceError) -> [UInt8] { throw error }
  func hmac(_ data: [UInt8], keyName: String) async throws(ServiceError) -> [UInt8] { throw error }
  func seal(_ data: [UInt8], keyName: String, associated: [UInt8]) async throws(ServiceError) -> [UInt8] {
    throw error
  }
  func open(_ sealed: [UInt8], keyName: String, associated: [UInt8]) async throws(ServiceError) -> [UInt8] {
    throw error
  }
  func sign(_ data: [UInt8], keyName: String) async throws(ServiceError) -> [UInt8] { throw error }
  func verify(_ signature: [UInt8], of data: [UInt8], keyName: String) async throws(ServiceError) -> Bool {
    throw error
  }
}

/// The error that is thrown, if one is; all others are for the reader of the log.
@MainActor
private func serviceError<Value>(_ body: @MainActor () async throws -> Value) async -> ServiceError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? ServiceError ?? .failed(code: "probe", message: "\(error)")
  }
}

extension ForsettiContext {
  /// Waits until events were dropped.
  @MainActor fileprivate func waitForDrop() async {
    await withCheckedContinuation { continuation in
      var waiter: CheckedContinuation<Void, Never>? = continuation
      onEventsDropped { count in
        self.logger.info("dropped \(count)")
        waiter?.resume()
        waiter = nil
      }
    }
  }
}
