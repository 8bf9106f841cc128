import ForsettiBlocking
import ForsettiControlClient
import ForsettiCore
import ForsettiHTTP
import ForsettiIPC
import Synchronization

/// The dashboard's live figures: what changed since the last look, once a second, or more seldom where a look takes long:
/// looking takes the supervisor a twentieth of its time at most. Not more seldom than each few seconds, though: one look
/// that was slow must not hide what comes of a boot.
final class FiguresStream: HTTPStream {
  private let link: SupervisorLink
  private let cancellation: Cancellation
  private let state = Mutex(Progress())

  private struct Progress: ~Copyable {
    var channel: ControlChannel?
    /// What the page knows of; 0 for nothing.
    var revision: Int64 = 0
    var pause = Duration.zero
  }

  init(_ link: SupervisorLink) throws(SystemError) {
    self.link = link
    cancellation = try Cancellation()
  }

  /// How long not to look, by how long the last look took.
  static func pause(afterLooking duration: Duration) -> Duration {
    min(.seconds(5), max(.seconds(1), duration * 20))
  }

  func cancel() { cancellation.cancel() }

  func next() -> [UInt8]? {
    // Only this connection's thread comes here.
    state.withLock { (progress) -> [UInt8]? in
      if cancellation.wait(progress.pause) { return nil }
      progress.pause = .seconds(1)
      let begin = SuspendingClock.now
      do throws(ControlClientError) {
        if progress.channel == nil { progress.channel = try link.connect() }
        guard var channel = progress.channel.take() else { return EventText.heartbeat }
        let reply = try SupervisorLink.ask(
          &channel, "live", .record(["since": .integer(progress.revision)]))
        progress.channel = consume channel
        progress.revision = reply.answer["revision"]?.integerValue ?? 0
        progress.pause = Self.pause(afterLooking: begin.duration(to: .now))
        return EventText.event("figures", text: reply.text(items: "modules"))
      } catch {
        progress.revision = 0
        return EventText.event("lost", .record(["error": .string("\(error)")]))
      }
    }
  }
}
