import ForsettiControlClient
import ForsettiCore
import ForsettiIPC

/// What `call` was told.
struct CallOptions: Equatable {
  var role: String
  var method: String
  /// JSON as it was written.
  var parameters = "{}"
}

/// What `render` was told.
struct RenderOptions: Equatable {
  var view: String
  /// Whose view; `nil` where the surface says it.
  var module: String?
  var parameters: [String: String] = [:]
}

/// What `publish` was told.
struct PublishOptions: Equatable {
  var module: String
  var type: String
  var payload: [String: String] = [:]
}

// What is asked of modules, and seen of them.
extension ControlCommand {
  func events(
    _ pattern: String?, _ client: inout ControlClient, _ output: OutputStream
  ) throws(CommandFailure) {
    let json = json
    _ = try client.call(
      ControlOperations.events, EventsRequest(pattern), until: .reader(of: output),
      dropped: { (count) throws(CommandFailure) in
        try output.write(
          json ? JSONValue.record(["dropped": .integer(count)]).line : "… \(count) events were lost …\n")
      },
      item: { (item) throws(CommandFailure) in
        try output.write(json ? item.json.line : item.line(output.style))
      })
  }

  func entitlements(_ client: inout ControlClient, _ output: OutputStream) throws(CommandFailure) {
    var modules: [EntitlementItem] = []
    var answer =
      try client.call(
        ControlOperations.entitlements, item: { (item) throws(CommandFailure) in modules.append(item) }
      ) ?? EntitlementsAnswer()
    answer.modules = modules
    try output.write(json ? answer.json.line : answer.text(output.style))
  }

  func call(
    _ options: CallOptions, _ client: inout ControlClient, _ output: OutputStream
  ) throws(CommandFailure) {
    var request = CallRequest()
    request.role = options.role
    request.method = options.method
    do throws(JSONFault) {
      request.parameters = try JSONParser.parse(Array(options.parameters.utf8)).root
    } catch {
      throw CommandFailure(status: .usage, message: "the parameters are no JSON: \(error.reason)")
    }
    let answer = try client.call(ControlOperations.call, request) ?? CallAnswer()
    // It is JSON for people too: what a module answers has no other form.
    try output.write(answer.result.line)
  }

  func publish(
    _ options: PublishOptions, _ client: inout ControlClient, _ output: OutputStream
  ) throws(CommandFailure) {
    var request = PublishRequest()
    request.module = options.module
    request.type = options.type
    request.payload = options.payload
    let answer = try client.call(ControlOperations.publish, request) ?? NoValue()
    if json { try output.write(answer.json.line) }
  }

  func render(
    _ options: RenderOptions, _ client: inout ControlClient, _ output: OutputStream
  ) throws(CommandFailure) {
    var request = RenderQuery()
    request.view = options.view
    request.module = options.module
    request.parameters = options.parameters
    let answer = try client.call(ControlOperations.render, request) ?? RenderAnswer()
    try output.write(json ? answer.json.line : ViewText.of(answer.tree, output.style))
  }

  func explain(
    _ name: String, _ client: inout ControlClient, _ output: OutputStream
  ) throws(CommandFailure) {
    var request = ExplainRequest()
    request.module = name
    request.isColoured = output.style.isColoured
    let answer = try client.call(ControlOperations.explain, request) ?? ExplainAnswer()
    try output.write(json ? answer.report.line : answer.text)
  }
}
