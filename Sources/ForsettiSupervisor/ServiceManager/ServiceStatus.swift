import ForsettiRuntime

/// Keeps the line that the service manager shows of us true: how many modules run, of those that should.
@ReactorActor final class ServiceStatus {
  /// Many modules that change at once are one line.
  private static let pause = Duration.milliseconds(200)

  private let manager: ServiceManager
  private let runtime: ForsettiRuntime
  private let clock: any RuntimeClock
  private var token: SubscriptionToken?
  private var timer: ScheduledTimer?
  private var shown = ""
  /// Whether the boot was said to be done. Before that nothing else is called ready: whoever waits for the unit would take
  /// the end of a reload for the end of the boot.
  private var isReady = false
  /// From then on nothing is called ready: a boot or a reload that was under way may still end.
  private var isStopping = false

  init(_ manager: ServiceManager, of runtime: ForsettiRuntime, clock: any RuntimeClock = ReactorClock.shared)
  {
    self.manager = manager
    self.runtime = runtime
    self.clock = clock
  }

  /// Says that the boot is done, and follows what happens from now on.
  func ready() {
    guard !isStopping else { return }
    isReady = true
    shown = text
    manager.ready(shown)
    token = runtime.bus.subscribe(to: "forsetti.lifecycle.*") { [weak self] _ in self?.noteChange() }
  }

  /// A reload begins; `reloaded` follows.
  func reloading() {
    if isReady, !isStopping { manager.reloading() }
  }

  /// A reload is over.
  func reloaded() {
    guard isReady, !isStopping else { return }
    shown = text
    manager.ready(shown)
  }

  /// Follows no more, and says that the shutdown begins.
  func stopping() {
    isStopping = true
    token?.cancel()
    timer?.cancel()
    manager.stopping()
  }

  /// Says no more.
  func close() {
    token?.cancel()
    timer?.cancel()
    manager.close()
  }

  private func noteChange() {
    guard timer == nil else { return }
    timer = clock.schedule(after: Self.pause) { [weak self] in
      self?.timer = nil
      self?.show()
    }
  }

  private func show() {
    let text = text
    guard text != shown else { return }
    shown = text
    manager.tell(status: text)
  }

  private var text: String {
    guard let modules = runtime.moduleManager else { return "no module runs" }
    let states = modules.moduleIDs.compactMap(modules.state(of:)).filter { $0 != .discovered }
    return "\(states.count { $0 == .active }) of \(counted(states.count, "module")) active"
  }
}
