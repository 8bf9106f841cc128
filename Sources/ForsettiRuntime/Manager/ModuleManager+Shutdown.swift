import ForsettiCore

extension ModuleManager {
  /// How long a shutdown waits for modules one after the other, in all. Then the rest is asked without waiting, so that
  /// stubborn modules use up their deadlines side by side (docs/decisions/0007).
  static let shutdownPatience: Duration = .seconds(2)

  /// Stops every module, last activated first; how each ended, in the order of stopping.
  func stopEverything() async -> [ModuleEnd] {
    // Side by side: nobody requires them yet, and their deadlines must not add up.
    let starts = launching.values.map { instance in Reactor.task { await instance.stop() } }
    for start in starts { _ = await start.value }
    let patience = SharedPatience(Self.shutdownPatience, clock: environment.clock)
    defer { patience.end() }
    let manifests = catalog.manifests.map(\.manifest)
    var stops: [(id: String, task: Task<ModuleEnd?, Never>)] = []
    for id in activeModuleIDs.reversed() {
      // A module may need its provider to stop well, however long it takes.
      let consumers = providers.consumers(of: id, among: manifests)
      for stop in stops where consumers.contains(stop.id) { _ = await stop.task.value }
      let task = Reactor.task { () -> ModuleEnd? in
        // It may have ended by itself meanwhile.
        guard let module = self.active[id] else { return nil }
        return ModuleEnd(moduleID: id, exit: await self.retire(module))
      }
      stops.append((id, task))
      await patience.wait(for: task)
    }
    var ends: [ModuleEnd] = []
    for stop in stops { if let end = await stop.task.value { ends.append(end) } }
    // What somebody else is stopping is waited for too: nobody is cut off in the middle of its stop.
    for module in retiring.values { _ = await module.instance.stop() }
    // Whoever inherits this process's dead may never reap them.
    await ModuleProcess.whenLetGo()
    return ends
  }
}

/// Time that many waits share, one after the other: once it is used up, none of them waits any more.
@ReactorActor final class SharedPatience {
  private var isOver = false
  private var timer: ScheduledTimer?
  /// Whoever waits now, and the number of the wait.
  private var waiter: (number: Int, resume: CheckedContinuation<Void, Never>)?
  private var waits = 0

  init(_ time: Duration, clock: any RuntimeClock) {
    timer = clock.schedule(after: time) { [weak self] in self?.end() }
  }

  /// Waits until the task is done, or the time is over.
  func wait(for task: Task<some Sendable, Never>) async {
    guard !isOver else { return }
    waits += 1
    let number = waits
    Reactor.task {
      _ = await task.value
      self.finish(number)
    }
    await withCheckedContinuation { continuation in
      // The task may have ended, or the time, on the way here.
      guard number > finished, !isOver else { return continuation.resume() }
      waiter = (number, continuation)
    }
  }

  /// Ends the time; whoever waits goes on.
  func end() {
    isOver = true
    timer?.cancel()
    waiter?.resume.resume()
    waiter = nil
  }

  /// The last wait whose task was done. Waits come one after the other, but a task may end long after its wait.
  private var finished = 0

  private func finish(_ number: Int) {
    finished = max(finished, number)
    guard let waiter, waiter.number == number else { return }
    self.waiter = nil
    waiter.resume.resume()
  }
}
