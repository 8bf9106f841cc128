import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// What `call` asks.
struct CallRequest: ControlRecord {
  var role = ""
  var method = ""
  /// What the method takes, by name; an empty object if absent.
  var parameters = JSONValue.object([])

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("role", &role)
    try members("method", &method)
    try members("parameters", &parameters)
  }
}

/// What came of it.
struct CallAnswer: ControlRecord {
  var result = JSONValue.null

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("result", &result)
  }
}

extension ControlOperations {
  /// Calls the module that provides a role, as `operator:UID`. A module's storage, secrets and keys are not reached: they
  /// are no roles.
  static let call = ControlOperation<CallRequest, NoValue, CallAnswer>("call", .change) {
    (request, call) throws(ControlFailure) in
    let method = try OperatorMethod.find(role: request.role, method: request.method)
    var answer = CallAnswer()
    answer.result = try await method.call(JSONCursor(request.parameters), try call.manager, call.peer.name)
    return answer
  }
}
