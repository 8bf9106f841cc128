import ForsettiIPC
import ForsettiModuleKit
import Synchronization

/// Keeps what a context sends, one line each.
final class RecordingOutlet: ModuleOutlet {
  private let kept = Mutex<[String]>([])

  var entries: [String] { kept.withLock { $0 } }

  func log(_ level: LogLevel, _ message: String, metadata: [String: String]) {
    kept.withLock { $0.append("\(level) \(message)") }
  }

  nonisolated(nonsending) func publish(_ event: PublishMessage) async throws(ForsettiContextError) {
    kept.withLock { $0.append("event \(event.type)") }
  }
}
