import ForsettiBenchSet
import ForsettiModuleKit

/// The way to whoever measures: commands and results are values in the host's storage.
struct Control: Sendable {
  private let storage: any StorageService

  init(_ context: ForsettiContext) throws(BenchFailure) {
    guard let storage = context.services.storage else { throw BenchFailure("no storage is granted") }
    self.storage = storage
  }

  /// A text that nobody could know before; `nil` before a supervisor that measures nothing.
  func nonce() async throws -> String? { try await storage.value(forKey: "nonce", in: nil) }

  func answer(_ text: String) async throws { try await storage.set(text, forKey: "answer", in: nil) }

  /// Tells that a call hangs.
  func hang() async throws { try await storage.set("yes", forKey: "hanging", in: nil) }

  /// Waits until every subscriber has what was published.
  func acknowledged() async throws {
    try await storage.value(forKey: "acknowledged", in: nil) == "yes" ? () : lost()
  }

  private func lost() throws { throw BenchFailure("wrong payload at a subscriber") }

  /// Tells that everything up to here was right, or that something was not.
  func acknowledge(_ isRight: Bool) async throws {
    try await storage.set(isRight ? "yes" : "no", forKey: "acknowledge", in: nil)
  }

  /// Does what is asked, again and again, and says what came of it.
  func serve(_ body: @MainActor @escaping (String, Double) async throws -> Figure) async {
    while !Task.isCancelled {
      do {
        let words = try await value("command").split(separator: " ")
        guard words.count == 2, let seconds = Double(words[1]) else {
          throw BenchFailure("what is \(words)?")
        }
        let line: String
        do { line = try await body(String(words[0]), seconds).line } catch {
          line = Figure.line(of: error as? BenchFailure ?? BenchFailure("\(error)"))
        }
        try await storage.set(line, forKey: "result", in: nil)
      } catch ServiceError.deadlineExceeded {
        // Nobody has asked for half a minute.
      } catch { return }
    }
  }

  private func value(_ key: String) async throws -> String {
    guard let value = try await storage.value(forKey: key, in: nil) else { throw BenchFailure("no \(key)") }
    return value
  }
}
