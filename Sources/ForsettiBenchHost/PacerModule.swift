import ForsettiBenchSet
import ForsettiModuleKit

/// Calls a service of the host each millisecond, for ever, and logs how long calls took, window after window: for
/// measurements of the real supervisor, which has no way to ask (Benchmarks/console.py).
@MainActor
final class PacerModule: ForsettiModule {
  /// Seconds of a window.
  private static let window = 2.0

  let manifest = BenchModule.pacer.manifest
  private var task: Task<Void, Never>?

  func start(context: ForsettiContext) async throws {
    guard let crypto = context.services.cryptoUtilities else {
      throw BenchFailure("a service is not granted")
    }
    task = Task {
      while !Task.isCancelled {
        do {
          let figure = try await CallerModule.oneByOne(Self.window, size: 64, pause: .milliseconds(1)) {
            // The supervisor's own answer, unlike that of a measurement's host, is no echo.
            guard try await crypto.sha256($0).count == 32 else { throw BenchFailure("no digest") }
            var echo = $0
            BenchPayload.answer(&echo)
            return echo
          }
          context.logger.info(figure.line)
        } catch {
          context.logger.error("\(error)")
          return
        }
      }
    }
  }

  func stop(context: ForsettiContext) async { task?.cancel() }
}
