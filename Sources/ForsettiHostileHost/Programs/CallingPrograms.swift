import ForsettiIPC
import ForsettiModuleKit
import Glibc

/// Programs that call services in ways that no honest module does, or end while they do.
enum CallingPrograms {
  static let all: [Program] = [
    Program("calls_beyond_access", needs: [storage(.read)]) { context in
      await error { try await context.services.storage?.set("v", forKey: "k", in: nil) }
    },
    Program("calls_foreign_store", needs: [storage(.readWrite)]) { context in
      await error { _ = try await context.services.storage?.value(forKey: "k", in: "not-mine") }
    },
    Program("calls_without_grant", needs: []) { context in
      try expect(context.services.storage == nil, "the kit hands out a service without its grant")
      // Past the kit, as code that wants more than its kit gives it would.
      var queue = OutboundQueue()
      try queue.appendCall(StorageMethods.set, StoreEntry(store: nil, key: "k", value: "v"), callID: 1 << 40)
      queue.withPendingBytes { _ = write(4, $0.baseAddress, $0.count) }
      // Answers come in the order of the calls.
      _ = try await context.subscribe(to: "\(context.moduleID).nothing") { _ in }
      return "answered: \(context.lateAnswers)"
    },
    Program("calls_then_crashes", needs: [storage(.readWrite)]) { context in
      _ = try await context.subscribe(to: "\(context.moduleID).go") { _ in
        for number in 0..<200 {
          Task { try await context.services.storage?.set("lost?", forKey: "k\(number)", in: nil) }
        }
        await Task.yield()
        abort()
      }
      return "ready"
    },
    Program("calls_steadily", needs: [storage(.readWrite)]) { context in
      _ = try await context.subscribe(to: "\(context.moduleID).go") { _ in
        let wrong = await error { try await steadyCalls(context) }
        try? await context.publishEvent(type: "\(context.moduleID).done", payload: ["text": wrong])
      }
      return "ready"
    },
    Program("calls_without_end", needs: [storage(.readWrite)]) { context in
      // Eight at once, from the start to the end; every thousandth answer is told of.
      var answers = 0
      for lane in 0..<8 {
        Task {
          while try await context.services.storage?.value(forKey: "lane \(lane)", in: nil) == nil {
            answers += 1
            if answers % 1_000 == 0 { context.logger.info("\(answers) answers") }
          }
        }
      }
      return "ready"
    },
  ]

  private static func storage(_ access: ModuleIOAccess) -> IORequirement {
    IORequirement("calls", .storage, access, required: true)
  }

  private static func steadyCalls(_ context: ForsettiContext) async throws {
    for number in 0..<300 {
      try await context.services.storage?.set("\(number)", forKey: "steady", in: nil)
      let found = try await context.services.storage?.value(forKey: "steady", in: nil)
      try expect(found == "\(number)", "stored \(number), found \(found ?? "nothing")")
    }
  }

  /// What a body throws, as text; `none` where it doesn't.
  @MainActor private static func error(_ body: () async throws -> Void) async -> String {
    do { try await body() } catch { return "\(error)" }
    return "none"
  }
}
