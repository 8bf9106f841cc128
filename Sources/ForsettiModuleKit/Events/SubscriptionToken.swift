/// The way to end a subscription. Dropping it does not; the end of the module does.
public final class SubscriptionToken: Sendable {
  /// What it was made for.
  public let pattern: String
  private let end: Guarded<(@Sendable () -> Void)?>

  init(pattern: String, end: @escaping @Sendable () -> Void) {
    self.pattern = pattern
    self.end = Guarded(end)
  }

  /// Ends the subscription: its handler is not called again. Once is enough.
  public func cancel() {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }
}
