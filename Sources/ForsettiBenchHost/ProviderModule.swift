import ForsettiBenchSet
import ForsettiModuleKit

/// Provides the api role: an echo.
struct ProviderModule: ForsettiAPIProvider {
  let manifest = BenchModule.provider.manifest

  func start(context: ForsettiContext) async throws {}
  func stop(context: ForsettiContext) async {}

  func request(_ request: APIRequest, from source: String) async throws -> APIResponse {
    var body = request.body
    BenchPayload.answer(&body)
    return APIResponse(status: 200, body: body)
  }
}
