/// When a web console that ended is started again: after a second, then twice as long each time up to a minute, and from
/// the beginning once it has lasted for a minute.
struct ConsoleBackoff: Sendable, Hashable {
  private static let first = Duration.seconds(1)
  private static let longest = Duration.seconds(60)
  private var next = first

  /// The delay until the next start.
  mutating func delay(afterLasting lasted: Duration) -> Duration {
    if lasted >= Self.longest { next = Self.first }
    defer { next = min(next * 2, Self.longest) }
    return next
  }
}
