/// Swift concurrency on the host's one thread.
enum ConcurrencyPrograms {
  actor Counter {
    private var count = 0
    func next() -> Int {
      count += 1
      return count
    }
  }

  static let all: [Program] = [
    Program("task_group") {
      await withTaskGroup(of: Int.self) { group in
        for number in 1...1_000 { group.addTask { number } }
        return "\(await group.reduce(0, +))"
      }
    },
    Program("task_sleep") {
      let clock = ContinuousClock()
      let elapsed = try await clock.measure { try await Task.sleep(for: .milliseconds(20)) }
      try expect(elapsed >= .milliseconds(20), "slept \(elapsed)")
      return "slept"
    },
    Program("task_sleep_long") {
      say("asleep")
      try await Task.sleep(for: .milliseconds(400))
      return "slept"
    },
    Program("sleeping_group") {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<100 {
          group.addTask {
            try await Task.sleep(for: .milliseconds(number % 7))
            return number
          }
        }
        return "\(try await group.reduce(0, +))"
      }
    },
    Program("actors") {
      let counter = Counter()
      var last = 0
      for _ in 0..<1_000 { last = await counter.next() }
      return "\(last)"
    },
    Program("main_actor") { await MainActor.run { "on the main actor" } },
    Program("async_let") {
      async let first = Counter().next()
      async let second = Counter().next()
      return "\(await first + second)"
    },
    Program("async_stream") {
      let (stream, source) = AsyncStream.makeStream(of: Int.self)
      let producer = Task {
        for number in 1...100 {
          source.yield(number)
          await Task.yield()
        }
        source.finish()
      }
      var sum = 0
      for await number in stream { sum += number }
      await producer.value
      return "\(sum)"
    },
    Program("cancellation") {
      let sleeper = Task { try await Task.sleep(for: .seconds(3_600)) }
      sleeper.cancel()
      do {
        try await sleeper.value
        throw Mismatch(description: "a cancelled sleep returned")
      } catch is CancellationError { return "cancelled" }
    },
    Program("detached_task") { await Task.detached(priority: .low) { "detached" }.value },
    Program("continuation") {
      await withCheckedContinuation { waiting in
        Task { waiting.resume(returning: "resumed") }
      }
    },
  ]
}
