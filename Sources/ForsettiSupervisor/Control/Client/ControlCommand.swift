import ForsettiControlClient
import ForsettiCore
import ForsettiIPC

/// What a command asks of the supervisor that runs.
enum ControlRequest: Equatable {
  case status
  /// Whether it is ready, and nothing else.
  case readiness
  case modules(String?)
  case surface
  case activate(String), deactivate(String), restart(String), reset(String)
  case selectUI(String?)
  case logs(LogsOptions)
  case metrics
  case reload(isTrial: Bool)
  case events(String?)
  case entitlements
  case call(CallOptions)
  case publish(PublishOptions)
  case render(RenderOptions)
  case explain(String)
  case shutdown
}

/// What `logs` was told.
struct LogsOptions: Equatable {
  var module: String?
  var level = LogLevel.debug
  var count = 100
  var follows = false
}

/// A command that a running supervisor carries out.
struct ControlCommand: Equatable {
  var request: ControlRequest
  var place = ControlPlace()
  var json = false

  func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
    var client = try place.connect(in: surroundings)
    let output = surroundings.output
    switch request {
    case .status:
      let report = try Self.status(&client, StatusRequest())
      try output.write(json ? report.json.line : StatusTable(report).text(output.style))
      return report.state == "ready" ? .success : .temporaryFailure
    case .readiness:
      let health = try client.call(ControlOperations.health) ?? HealthAnswer()
      try output.write(json ? health.json.line : escaped(health.failure ?? health.state) + "\n")
      return health.isReady ? .success : .temporaryFailure
    case .modules(let name): try modules(name, &client, output)
    case .surface:
      let answer = try client.call(ControlOperations.surface) ?? SurfaceAnswer()
      try output.write(json ? answer.json.line : SurfaceText.of(answer))
    case .activate(let name): try change(ControlOperations.activate, name, &client, output)
    case .deactivate(let name): try change(ControlOperations.deactivate, name, &client, output)
    case .restart(let name): try change(ControlOperations.restart, name, &client, output)
    case .reset(let name): try change(ControlOperations.reset, name, &client, output)
    case .selectUI(let name): try change(ControlOperations.selectUI, name, &client, output)
    case .metrics:
      _ = try client.call(
        ControlOperations.metrics, NoValue(),
        item: { (text: String) throws(CommandFailure) in try output.write(text) })
    case .logs(let options): try logs(options, &client, output)
    case .reload(let isTrial):
      let report = try reload(ReloadRequest(isTrial: isTrial), &client)
      try output.write(json ? report.json.line : report.text(output.style))
      return report.failures.isEmpty ? .success : .unavailable
    case .events(let pattern): try events(pattern, &client, output)
    case .entitlements: try entitlements(&client, output)
    case .call(let options): try call(options, &client, output)
    case .publish(let options): try publish(options, &client, output)
    case .render(let options): try render(options, &client, output)
    case .explain(let name): try explain(name, &client, output)
    case .shutdown:
      _ = try client.call(ControlOperations.shutdown)
      try client.waitForEnd()
      if json { try output.write(NoValue().json.line) }
    }
    return .success
  }

  /// The status, its modules put in.
  private static func status(
    _ client: inout ControlClient, _ request: StatusRequest
  ) throws(CommandFailure) -> StatusReport {
    var modules: [RunReport.Module] = []
    var report =
      try client.call(
        ControlOperations.status, request, item: { (module) throws(CommandFailure) in modules.append(module) }
      )
      ?? StatusReport()
    report.modules = modules
    return report
  }

  private func modules(
    _ name: String?, _ client: inout ControlClient, _ output: OutputStream
  ) throws(CommandFailure) {
    var request = StatusRequest()
    request.module = name
    request.isComplete = true
    let report = try Self.status(&client, request)
    if json {
      try output.write(JSONValue.array(report.modules.map(\.json)).line)
    } else if name != nil, let module = report.modules.first {
      try output.write(StatusTable.details(of: module, output.style))
    } else {
      try output.write(StatusTable(report).rows(output.style))
    }
  }

  private func reload(
    _ request: ReloadRequest, _ client: inout ControlClient
  ) throws(CommandFailure) -> ReloadReport {
    var modules: [ReloadReport.Module] = []
    var report =
      try client.call(
        ControlOperations.reload, request, item: { (module) throws(CommandFailure) in modules.append(module) }
      ) ?? ReloadReport()
    report.modules = modules
    return report
  }

  private func change(
    _ operation: ControlOperations.Change, _ name: String?, _ client: inout ControlClient,
    _ output: OutputStream
  ) throws(CommandFailure) {
    let answer = try client.call(operation, ModuleRequest(name)) ?? ChangeAnswer()
    guard !json else { return try output.write(answer.json.line) }
    guard let id = answer.moduleID else { return try output.write("no UI module is shown\n") }
    try output.write("\(escaped(id)) is \(escaped(answer.state ?? "gone"))\n")
  }

  private func logs(
    _ options: LogsOptions, _ client: inout ControlClient, _ output: OutputStream
  ) throws(CommandFailure) {
    var request = LogsRequest()
    request.module = options.module
    request.level = options.level.rawValue
    request.count = options.count
    request.follows = options.follows
    let json = json
    let isColoured = output.style.isColoured
    _ = try client.call(
      ControlOperations.logs, request, until: options.follows ? .reader(of: output) : nil,
      dropped: { (count) throws(CommandFailure) in
        try output.write(
          json ? JSONValue.record(["dropped": .integer(count)]).line : "… \(count) records were lost …\n")
      },
      item: { (item) throws(CommandFailure) in
        try output.write(bytes: item.line(json: json, isColoured: isColoured))
      })
  }
}
