public import ForsettiModuleKit

/// The only module that reaches Jamf Pro: it keeps the credentials, and answers the api role for all others.
public final class ForsettiJamfServiceModule: ForsettiLifecycleModule, ForsettiAPIProvider,
  ForsettiSecretReceiver
{
  /// Requests at once, as Jamf advises clients; and how many of one caller may wait.
  private let gate = RequestGate(capacity: 5, waitingLimit: 64)
  private let time = JamfTime.system
  private var desk: JamfServiceDesk?

  /// Makes the module, not started.
  public init() { super.init(manifest: JamfServiceManifest.manifest) }

  /// Takes up the credentials that are kept, and sees in its own time whether they are good.
  public override func activate(context: ForsettiContext) async throws {
    let desk = JamfServiceDesk(context: context, gate: gate, time: time)
    self.desk = desk
    await desk.open()
  }

  /// Ends what is under way.
  public override func deactivate(context: ForsettiContext) async {
    desk?.close()
    desk = nil
  }

  /// Answers a feature's request: what Jamf Pro says, with its status. What never got there is thrown.
  public func request(_ request: APIRequest, from source: String) async throws -> APIResponse {
    guard let desk else {
      throw ServiceError.serviceUnavailable(role: "api", why: "it is starting")
    }
    do throws(JamfFailure) { return try await desk.answer(to: request, from: source) } catch {
      throw error.serviceError
    }
  }

  /// Logs in with what a person entered, and keeps it only where that went well.
  public func receiveSecret(_ secretID: String, values: [String: String]) async throws {
    guard let desk, secretID == JamfCredentials.secretID else {
      throw ServiceError.notFound(secretID)
    }
    let credentials: JamfCredentials
    do throws(JamfCredentialFault) { credentials = try JamfCredentials(entered: values) } catch {
      throw ServiceError.failed(code: "invalidCredentials", message: error.advice)
    }
    do throws(JamfFailure) { try await desk.adopt(credentials) } catch {
      throw ServiceError.failed(code: error.name, message: "\(error.what) \(error.advice)")
    }
  }
}
