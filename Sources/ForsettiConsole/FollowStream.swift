import ForsettiBlocking
import ForsettiControlClient
import ForsettiCore
import ForsettiHTTP
import Synchronization

/// What the supervisor tells as it happens: log records, or heads of events.
final class FollowStream: HTTPStream {
  private let cancellation: Cancellation
  private let channel: Mutex<ControlChannel?>
  private let name: String
  /// Milliseconds after which a silent stream shows that it is there.
  private static let heartbeat: Int32 = 10_000

  /// Begins.
  /// - Parameter name: of the events in the browser.
  init(_ link: SupervisorLink, _ operation: String, _ request: JSONValue, as name: String)
    throws(ControlClientError)
  {
    var channel = try link.connect()
    try channel.begin(operation, request.control)
    self.channel = Mutex(consume channel)
    self.name = name
    do throws(SystemError) { cancellation = try Cancellation() } catch {
      throw .unreachable(error.call, errno: error.errno)
    }
  }

  func cancel() { cancellation.cancel() }

  func next() -> [UInt8]? {
    // Only this connection's thread comes here.
    channel.withLock { (held) -> [UInt8]? in
      guard var channel = held.take() else { return nil }
      do throws(ControlClientError) {
        let step = try channel.next(until: .hangUp(of: cancellation.reader), within: Self.heartbeat)
        held = consume channel
        switch step {
        case .item(let value): return EventText.event(name, try SupervisorLink.json(value))
        case .dropped(let count): return EventText.event("dropped", .record(["count": .integer(count)]))
        case .silence: return EventText.heartbeat
        case .answer, nil: return nil
        }
      } catch { return EventText.event("lost", .record(["error": .string("\(error)")])) }
    }
  }
}
