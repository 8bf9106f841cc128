import Synchronization

/// What a file says is unlocked, read again when it changes.
///
/// Its folder is watched, not the file: a file written beside it and renamed over it is another file. Events
/// within 200 ms count as one. A file that is bad, or gone, is reported and changes nothing; until a good one
/// has been read only what has no product is unlocked.
@ReactorActor public final class FileEntitlementProvider: EntitlementProvider {
  /// How long the file must be left alone before it is read.
  nonisolated static let debounce = Duration.milliseconds(200)
  /// A file that is never left alone is read this long after its first change.
  private static let longestWait = Duration.seconds(2)
  /// How often a folder that is gone is looked for.
  private static let retry = Duration.seconds(2)

  /// The file.
  public nonisolated let path: String
  /// What was wrong at the last reading; `nil` if it went well.
  private(set) var lastFault: EntitlementFault?

  private nonisolated let entitlements = Mutex(Entitlements())
  private nonisolated let broadcast = ChangeBroadcast()
  private let clock: any RuntimeClock
  private let worker: BlockingWorker
  private let onFault: @ReactorActor (EntitlementFault) -> Void
  private var watch: FolderWatch?
  private var timer: ScheduledTimer?
  private var firstChange: UInt64?
  private var isStopped = false
  /// The reading under way; whoever wants another waits for it first, so that the newest is the last.
  private var reading: Task<Void, Never>?

  /// Makes a provider that knows nothing yet.
  ///
  /// - Parameters:
  ///   - path: of the file; made absolute by the caller.
  ///   - onFault: told of each fault, once.
  public init(
    path: String, clock: any RuntimeClock = ReactorClock.shared,
    onFault: @escaping @ReactorActor (EntitlementFault) -> Void
  ) throws(EntitlementFault) {
    self.path = path
    self.clock = clock
    self.onFault = onFault
    do { worker = BlockingWorker(on: try BlockingExecutor(name: "entitlements")) } catch {
      throw .noThread(error)
    }
  }

  /// Watches the folder, then reads the file, so that no change falls between.
  public func start() async {
    rewatch()
    await refreshEntitlements()
  }

  /// Ends the watch. What was read stays in force.
  public func stop() {
    isStopped = true
    watch?.stop()
    watch = nil
    timer?.cancel()
  }

  /// Whether the file names the module or its product.
  public nonisolated func isUnlocked(moduleID: String, productID: String?) async -> Bool {
    entitlements.withLock { $0.isUnlocked(moduleID: moduleID, productID: productID) }
  }

  /// A stream for one subscriber.
  public nonisolated func entitlementsDidChangeStream() -> AsyncStream<Void> { broadcast.stream() }

  /// Reads the file now.
  public func refreshEntitlements() async {
    let previous = reading
    let task = Task {
      await previous?.value
      await self.read()
    }
    reading = task
    await task.value
  }

  private func read() async {
    do {
      let new = try await worker.run { [path] () throws(EntitlementFault) in try EntitlementFile.read(path) }
      lastFault = nil
      let isChange = entitlements.withLock { old in
        defer { old = new }
        return old != new
      }
      if isChange { broadcast.send() }
    } catch { report(error) }
  }

  private func report(_ fault: EntitlementFault) {
    // The same fault again, as when a folder stays away, is no news.
    guard fault != lastFault else { return }
    lastFault = fault
    onFault(fault)
  }

  private func rewatch() {
    watch?.stop()
    watch = nil
    guard !isStopped else { return }
    let (folder, name) = TrustedFile.split(path)
    do {
      watch = try FolderWatch(folder: folder, name: name) { [weak self] event in self?.noted(event) }
    } catch {
      report(.notWatched(path: folder, error))
      timer?.cancel()
      timer = clock.schedule(after: Self.retry) { [weak self] in self?.readAgain() }
    }
  }

  private func noted(_ event: FolderWatch.Event) {
    if event == .folderGone {
      watch?.stop()
      watch = nil
    }
    let first = firstChange ?? clock.now
    firstChange = first
    timer?.cancel()
    let spent = Duration.nanoseconds(Int64(clamping: clock.now &- first))
    let delay = min(Self.debounce, Self.longestWait - spent)
    timer = clock.schedule(after: delay) { [weak self] in self?.readAgain() }
  }

  private func readAgain() {
    firstChange = nil
    if watch == nil { rewatch() }
    Task { await self.refreshEntitlements() }
  }
}
