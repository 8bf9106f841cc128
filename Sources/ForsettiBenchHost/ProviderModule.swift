import ForsettiBenchSet
import ForsettiModuleKit

/// Provides the api role: an echo, and a call that is never answered.
@MainActor
final class ProviderModule: ForsettiAPIProvider {
  let manifest = BenchModule.provider.manifest
  private var control: Control?

  func start(context: ForsettiContext) async throws { control = try Control(context) }
  func stop(context: ForsettiContext) async {}

  func request(_ request: APIRequest, from source: String) async throws -> APIResponse {
    if request.path == BenchModule.hangingPath {
      try await control?.hang()
      try await Task.sleep(for: .seconds(60))
    }
    var body = request.body
    BenchPayload.answer(&body)
    return APIResponse(status: 200, body: body)
  }
}
