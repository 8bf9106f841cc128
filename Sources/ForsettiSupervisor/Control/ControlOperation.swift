import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// One thing that can be asked over the control socket: its name, the right it takes, the types that cross, and what
/// it does. The client sees the first three. A new one is one such value, and a line in `ControlOperations.all`.
struct ControlOperation<Request: ControlRecord, Item: ControlValue, Answer: ControlRecord>: Sendable {
  typealias Work =
    @ReactorActor @Sendable (
      Request, ControlCall
    ) async throws(ControlFailure) -> Answer

  let name: String
  let right: ControlRight
  let perform: Work

  init(_ name: String, _ right: ControlRight, _ perform: @escaping Work) {
    self.name = name
    self.right = right
    self.perform = perform
  }

  /// Without its types, as the server keeps it.
  var entry: ControlEntry {
    ControlEntry(name: name, right: right) { [perform] (value, call) throws(ControlFailure) in
      let request: Request
      do throws(ControlValueError) { request = try Request(control: value) } catch {
        throw ControlFailure(.invalidRequest, .usage, "\(error)")
      }
      return try await perform(request, call).control
    }
  }
}

/// An operation as the server keeps it.
struct ControlEntry: Sendable {
  let name: String
  let right: ControlRight
  let perform: @ReactorActor @Sendable (CBORValue, ControlCall) async throws(ControlFailure) -> CBORValue
}

/// What an operation works with.
struct ControlCall: Sendable {
  /// The supervisor.
  let context: ControlContext
  /// Who asks.
  let peer: ControlPeer
  /// Where items go before the answer.
  let stream: ControlStream

  /// The module manager; a boot that has not come so far, or has failed, has none.
  @ReactorActor var manager: ModuleManager {
    get throws(ControlFailure) {
      guard let manager = context.bootstrap.runtime.moduleManager else {
        throw ControlFailure(
          .failed, .temporaryFailure,
          "the supervisor is \(context.bootstrap.state.name); ask again when it is ready")
      }
      return manager
    }
  }
}

extension ControlFailure {
  /// A failure with one of our exit statuses.
  init(_ code: Code, _ status: ExitStatus, _ message: String, details: [String] = []) {
    self.init(code, status: status.rawValue, message, details: details)
  }

  /// What went wrong in another room, by the one table of exit statuses.
  init(_ failure: CommandFailure) {
    self.init(.failed, failure.status, failure.message, details: failure.details)
  }
}
