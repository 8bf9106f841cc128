import ForsettiIPC
import ForsettiRuntime

/// Whether the supervisor is up to its work, for whoever asks often: no process is looked at.
struct HealthAnswer: ControlRecord, Equatable {
  /// One of `BootState.names`.
  var state = ""
  /// Whether the boot is done and nothing shuts it down.
  var isReady = false
  /// Why the boot failed.
  var failure: String?
  var uptimeMilliseconds = 0

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("state", &state)
    try members("ready", &isReady)
    try members("failure", &failure)
    try members("uptimeMilliseconds", &uptimeMilliseconds)
  }
}

extension ControlOperations {
  /// The state of the boot alone.
  static let health = ControlOperation<NoValue, NoValue, HealthAnswer>("health", .read) {
    (_, call) throws(ControlFailure) in
    let state = call.context.bootstrap.state
    var answer = HealthAnswer()
    answer.state = state.name
    answer.isReady = state == .ready && !call.context.bootstrap.runtime.isShuttingDown
    if case .failed(let failure) = state { answer.failure = "\(failure)" }
    answer.uptimeMilliseconds = call.context.uptimeMilliseconds
    return answer
  }
}
