import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// What `render` asks.
struct RenderQuery: ControlRecord {
  var view = ""
  /// Who is to draw it; absent where the policy and the surface say it.
  var module: String?
  var parameters: [String: String] = [:]

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("view", &view)
    try members("module", &module)
    try members("parameters", &parameters)
  }
}

/// A view as its renderer draws it: `moduleID` is whose, and whose events its buttons and forms publish.
struct RenderAnswer: ControlRecord {
  var moduleID = ""
  var tree = JSONValue.null

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("moduleID", &moduleID)
    try members("view", &tree)
  }
}

extension ControlOperations {
  /// Asks a module to draw one of its views.
  static let render = ControlOperation<RenderQuery, NoValue, RenderAnswer>("render", .read) {
    (request, call) throws(ControlFailure) in
    let manager = try call.manager
    var answer = RenderAnswer()
    let named = try request.module.map { (name) throws(ControlFailure) in try manager.find(name) }
    do throws(ServiceError) {
      if let named {
        answer.moduleID = named
      } else {
        answer.moduleID = try manager.renderer(of: request.view)
      }
      answer.tree = try await manager.render(
        viewID: request.view, parameters: request.parameters, moduleID: answer.moduleID
      ).json
    } catch {
      guard case .serviceDenied(.unknown, _) = error else { throw ControlFailure(error) }
      throw ControlFailure(.failed, .dataError, "\(answer.moduleID) draws no views")
    }
    return answer
  }
}
