import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// Where the supervisor's own web console is, and how to come in.
struct ConsoleAnswer: ControlRecord {
  var listen = ""
  var url = ""

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("listen", &listen)
    try members("url", &url)
  }
}

/// Where the boot stands after `retry`.
struct RetryAnswer: ControlRecord {
  var state = ""

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("state", &state)
  }
}

extension ControlOperations {
  /// The way into the supervisor's own web console, which holds the rights of the supervisor's user.
  static let console = ControlOperation<NoValue, NoValue, ConsoleAnswer>("console", .change) {
    (_, call) throws(ControlFailure) in
    guard let access = call.context.console else {
      throw ControlFailure(
        .failed, .unavailable,
        "this supervisor keeps no web console: its policy has no \"console\"; start one with forsetti-supervisor console"
      )
    }
    var answer = ConsoleAnswer()
    answer.listen = access.address.description
    answer.url = access.url
    return answer
  }

  /// Boots again after a failed boot; answered before that is done.
  static let retry = ControlOperation<NoValue, NoValue, RetryAnswer>("retry", .change) {
    (_, call) throws(ControlFailure) in
    guard case .failed = call.context.bootstrap.state else {
      throw ControlFailure(
        .failed, .unavailable,
        "the supervisor is \(call.context.bootstrap.state.name); only a failed boot is retried")
    }
    call.context.retryBoot()
    var answer = RetryAnswer()
    answer.state = call.context.bootstrap.state.name
    return answer
  }
}
