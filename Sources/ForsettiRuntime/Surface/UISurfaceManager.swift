public import ForsettiCore

/// Holds the contributions of active UI and app modules and publishes the surface they make (seed
/// "UI Contribution Model"). Contributions are validated and sanitised before they come here.
@ReactorActor
public final class UISurfaceManager {
  private var contributions: [String: UIContributions] = [:]
  private var observers: [Int: AsyncStream<UISurface>.Continuation] = [:]
  private var nextObserver = 0

  /// The surface as it is now.
  public private(set) var surface = UISurface.empty

  /// Makes an empty surface.
  public init() {}

  /// Replaces everything by one module's contributions, in one step: no moment shows two modules or none.
  public func present(_ new: UIContributions, of moduleID: String) {
    contributions = [moduleID: new]
    publish()
  }

  /// Removes what a module contributed, if anything.
  public func remove(_ moduleID: String) {
    guard contributions.removeValue(forKey: moduleID) != nil else { return }
    publish()
  }

  /// The surface now, and each later one. A slow reader gets the newest and never holds up the runtime.
  public func surfaces() -> AsyncStream<UISurface> {
    let (stream, continuation) = AsyncStream<UISurface>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id = nextObserver
    nextObserver += 1
    observers[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @ReactorActor in self?.observers[id] = nil }
    }
    continuation.yield(surface)
    return stream
  }

  private func publish() {
    surface = UISurface(contributions: contributions)
    for observer in observers.values { observer.yield(surface) }
  }
}
