/// The time, and how to wait. One thread does all: nothing here blocks.
struct JamfTime: Sendable {
  /// Milliseconds since 1970.
  var now: @Sendable () -> Int64
  /// Waits; throws when the task is cancelled.
  var wait: @Sendable (_ milliseconds: Int64) async throws -> Void

  /// The machine's own.
  static let system = JamfTime(
    now: WallClock.now, wait: { try await Task.sleep(for: .milliseconds($0)) })
}
