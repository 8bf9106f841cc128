import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// What `render` asks.
struct RenderQuery: ControlRecord {
  var view = ""
  /// Whose; absent where the surface says it.
  var module: String?
  var parameters: [String: String] = [:]

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("view", &view)
    try members("module", &module)
    try members("parameters", &parameters)
  }
}

/// A view as its module draws it.
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
    answer.moduleID =
      try request.module.map { (name) throws(ControlFailure) in try manager.find(name) }
      ?? owner(of: request.view, on: call.context.bootstrap.runtime.surface.surface)
      ?? manager.activeUIModuleID ?? ""
    guard !answer.moduleID.isEmpty else {
      throw ControlFailure(
        .failed, .unavailable, "no UI module is active; name the module that draws the view")
    }
    if manager.catalog[answer.moduleID]?.manifest.moduleType == .service {
      throw ControlFailure(
        .failed, .dataError, "\(answer.moduleID) is a service module: it draws no views")
    }
    do throws(ServiceError) {
      answer.tree = try await manager.render(
        viewID: request.view, parameters: request.parameters, moduleID: answer.moduleID
      ).json
    } catch { throw ControlFailure(error) }
    return answer
  }

  /// The module that has put a view on the surface.
  private static func owner(of view: String, on surface: UISurface) -> String? {
    surface.injectionsBySlot.values.lazy.flatMap { $0 }.first { $0.injection.viewID == view }?.moduleID
  }
}
