import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// What `publish` asks.
struct PublishRequest: ControlRecord {
  var module: String?
  /// Of the event, as the toolbar item, button or form has it.
  var type = ""
  /// Texts by name; of a form its fields' values by their IDs.
  var payload: [String: String] = [:]

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("module", &module)
    try members("type", &type)
    try members("payload", &payload)
  }
}

extension ControlOperations {
  /// Publishes an event in a module's name, as a toolbar item, a button or a form of it asks. It carries the module's
  /// rights and no more.
  static let publish = ControlOperation<PublishRequest, NoValue, NoValue>("publish", .change) {
    (request, call) throws(ControlFailure) in
    let manager = try call.manager
    let id = try manager.find(ModuleRequest(request.module).name())
    do throws(ServiceError) {
      try manager.publish(request.type, payload: request.payload, inTheNameOf: id)
    } catch {
      guard case .serviceDenied = error else { throw ControlFailure(error) }
      throw ControlFailure(.failed, .noPermission, "\(id) may not publish \(request.type.quoted())")
    }
    return NoValue()
  }
}
