import ForsettiControlClient
import ForsettiTestKit
import Foundation
import Glibc

@testable import ForsettiSupervisor

/// Hears every event of a supervisor from a connection of its own, and wakes those who wait for the next.
final class StoryEvents: Sendable {
  private struct Heard: Sendable {
    var count = 0
    var types: Set<String> = []
    var hasEnded = false
  }

  private let heard = Watched(Heard())
  /// Closed when the story lets go of it, which ends the listening.
  private let reader: Int32

  /// Listens from about now on; `heard` says from when.
  init(folder: String) throws {
    let (reader, writer) = try SpawnedProgram.pipe()
    self.reader = reader
    Thread.detachNewThread { [heard] in
      do {
        var client = ControlClient(try ControlChannel(folder: folder))
        // Without a bound on silence: a story may be still for long.
        _ = try client.call(
          ControlOperations.events, EventsRequest("*"), until: .hangUp(of: writer),
          dropped: { _ in heard.change { $0.count += 1 } },
          item: { event in
            heard.change { heard in
              heard.count += 1
              heard.types.insert(event.type)
            }
          })
      } catch {}
      close(writer)
      heard.change { $0.hasEnded = true }
    }
  }

  deinit { close(reader) }

  /// Events so far, the lost ones too.
  var count: Int { heard.value.count }

  /// Whether an event of this type came.
  func heard(_ type: String) -> Bool { heard.value.types.contains(type) }

  /// Returns once more than so many events came; false when none will come any more, or the test's time is over.
  func wait(after count: Int) async -> Bool {
    let isOver = await !heard.wait { $0.count > count || $0.hasEnded }
    return !isOver && heard.value.count > count
  }
}
