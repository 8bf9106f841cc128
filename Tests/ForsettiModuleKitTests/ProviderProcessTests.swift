import ForsettiCore
import ForsettiIPC
import ForsettiModuleKit
import Testing

private let probeHost = "forsetti-kit-probe"

/// Calls that a module answers.
@Suite(.serialized) struct ProviderProcessTests {
  private func begin() throws -> ScriptedSupervisor {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Echo")
    try supervisor.start(grants: [.cryptoUtilities])
    return supervisor
  }

  private func call(
    _ path: String, _ callID: UInt64, body: [UInt8] = [], timeout: UInt32 = 0, trace: TraceContext? = nil,
    _ supervisor: ScriptedSupervisor
  ) throws {
    try supervisor.send {
      try $0.appendCall(
        APIMethods.request, APIRequest(method: "POST", path: path, body: body), callID: callID,
        timeoutMilliseconds: timeout, trace: trace, source: "com.example.caller")
    }
  }

  @Test("a provider has the request and who calls, and its answer goes back") func echo() throws {
    let supervisor = try begin()
    try call("/echo", 7, body: [1, 2, 3], supervisor)
    let reply = try supervisor.receiveTraffic()
    #expect(reply.header.kind == .reply)
    #expect(reply.callID == 7)
    #expect(
      try APIMethods.request.response(reply.payload.span)
        == APIResponse(
          status: 200, headers: [HTTPField("source", "com.example.caller"), HTTPField("verb", "POST")],
          body: [1, 2, 3]))
  }

  @Test(
    "what a provider throws is what its caller gets",
    arguments: [
      ("/refuse", ServiceError.rateLimited(retryAfterMilliseconds: 7)),
      ("/break", .failed(code: "provider", message: "it broke")), ("/large", .tooLarge(limit: 1 << 20)),
      (
        "/status",
        .failed(
          code: "provider", message: "a reply frame would hold an integer outside its range")
      ),
    ])
  func failures(path: String, error: ServiceError) throws {
    let supervisor = try begin()
    try call(path, 1, supervisor)
    let failure = try supervisor.receiveTraffic()
    #expect(failure.header.kind == .failure)
    #expect(try failure.failure == error)
    // It goes on answering.
    try call("/echo", 1, supervisor)
    #expect(try supervisor.receiveTraffic().header.kind == .reply)
  }

  @Test("a call that is taken back is cancelled in the provider, and not answered") func cancellation() throws
  {
    let supervisor = try begin()
    try call("/wait", 1, supervisor)
    try supervisor.send { try $0.appendCancel(callID: 1) }
    #expect(try supervisor.receive() == .info("cancelled"))
    // The ID is free again, and a second cancel of it is for nothing.
    try supervisor.send { try $0.appendCancel(callID: 1) }
    try call("/echo", 1, supervisor)
    #expect(try supervisor.receiveTraffic().header.kind == .reply)
  }

  @Test("a call ends at its deadline in the provider too") func deadline() throws {
    let supervisor = try begin()
    try call("/wait", 5, timeout: 20, supervisor)
    let failure = try supervisor.receiveTraffic()
    #expect(failure.callID == 5)
    #expect(try failure.failure == .deadlineExceeded)
    #expect(try supervisor.receive() == .info("cancelled"))
  }

  @Test("a method that nobody provides, and a payload that is no request, are refused") func refusals() throws
  {
    let supervisor = try begin()
    try supervisor.send { try $0.appendCall(AuthenticationMethods.identity, Nothing(), callID: 1) }
    let denied = try supervisor.receiveTraffic()
    guard case .serviceDenied(.unknown, _) = try denied.failure else {
      Issue.record("\(try denied.failure)")
      return
    }
    let head = CallHead(
      service: ServiceName.api.number, method: 1, route: CallRoute(verb: "GET", path: "/echo"))
    try supervisor.send {
      try $0.appendCall(head, payload: [0x01].span, callID: 2, timeoutMilliseconds: 0)
    }
    let invalid = try supervisor.receiveTraffic()
    guard case .invalidArgument(name: "request", _) = try invalid.failure else {
      Issue.record("\(try invalid.failure)")
      return
    }
  }

  @Test("a second open call of the same ID ends the process") func duplicate() throws {
    let supervisor = try begin()
    try call("/wait", 1, supervisor)
    try call("/wait", 1, supervisor)
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.protocolViolation.rawValue))
  }

  @Test("more open calls than a module takes are refused, and each that is taken ends with the module")
  func tooMany() throws {
    let supervisor = try begin()
    for callID in 1...4097 as ClosedRange<UInt64> { try call("/wait", callID, supervisor) }
    let refused = try supervisor.receiveTraffic()
    #expect(refused.callID == 4097)
    #expect(try refused.failure == .quotaExceeded("calls open in the module"))
    try supervisor.send(.stop)
    var ended: Set<UInt64> = []
    while ended.count < 4096 {
      let frame = try supervisor.receiveTraffic()
      guard frame.header.kind == .failure else { continue }
      #expect(try frame.failure == .serviceUnavailable(role: "", why: "the module has stopped"))
      ended.insert(frame.callID)
    }
    #expect(ended == Set(1...4096))
    #expect(try supervisor.receive { $0 == .stopped }.last == .stopped)
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.stopped.rawValue))
  }

  @Test("what a provider calls in turn is part of the call that came") func traces() throws {
    let supervisor = try begin()
    let trace = try #require(TraceContext(traceHigh: 1, traceLow: 2, spanID: 3))
    try call("/nested", 1, body: [9], trace: trace, supervisor)
    let nested = try supervisor.receiveTraffic()
    #expect(try nested.call.trace == trace)
    try supervisor.send { try $0.appendReply(Bytes([8]), callID: nested.callID) }
    let reply = try supervisor.receiveTraffic()
    #expect(reply.callID == 1)
    #expect(try APIMethods.request.response(reply.payload.span).body == [8])
  }

  @Test("every method of a role reaches the provider with its arguments") func diagnostics() throws {
    let supervisor = try begin()
    try supervisor.send {
      try $0.appendCall(
        DiagnosticsMethods.emit, DiagnosticReport(category: "c", severity: .error, message: "oops"),
        callID: 1,
        source: "com.example.caller")
      try $0.appendCall(
        DiagnosticsMethods.events, DiagnosticFilter(atLeast: .warning), callID: 2, source: "x.y")
      try $0.appendCall(
        DiagnosticsMethods.export, DiagnosticExport(filter: DiagnosticFilter(), format: .markdown), callID: 3)
    }
    #expect(try supervisor.receive() == .info("oops from com.example.caller"))
    #expect(try supervisor.receiveTraffic().payload == [0xf6])
    let events = try DiagnosticsMethods.events.response(try supervisor.receiveTraffic().payload.span)
    #expect(events == [DiagnosticReport(source: "x.y", category: "c", severity: .warning, message: "m")])
    let export = try DiagnosticsMethods.export.response(try supervisor.receiveTraffic().payload.span)
    #expect(export.bytes == Array("markdown".utf8))
  }

  @Test("a secret reaches a module that takes some, which answers nothing, or says what is wrong with it")
  func secret() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Vault")
    try supervisor.start(grants: [])
    for (id, password) in [(1, "sesame"), (2, "wrong")] as [(UInt64, String)] {
      try supervisor.send {
        try $0.appendCall(
          RuntimeMethods.receiveSecret,
          SecretRequest(secretID: "account", values: ["user": "u", "password": password]), callID: id)
      }
    }
    #expect(try supervisor.receive() == .info("took account of u, 6 bytes"))
    let taken = try supervisor.receiveTraffic()
    #expect(taken.header.kind == .reply && taken.callID == 1)
    #expect(
      try supervisor.receiveTraffic().failure
        == .failed(code: "credentials", message: "the server takes no wrong"))
  }

  @Test("a module that takes no secrets refuses one") func noSecret() throws {
    let supervisor = try begin()
    try supervisor.send {
      try $0.appendCall(
        RuntimeMethods.receiveSecret, SecretRequest(secretID: "account", values: [:]), callID: 1)
    }
    guard case .serviceDenied(.unknown, _) = try supervisor.receiveTraffic().failure else {
      Issue.record("it was taken")
      return
    }
  }

  @Test("a view is drawn when it is asked for; one the module doesn't know is an error") func render() throws
  {
    let supervisor = try begin()
    try supervisor.send {
      try $0.appendCall(
        RuntimeMethods.render, RenderRequest(viewID: "main", parameters: ["title": "<b>"]), callID: 1)
      try $0.appendCall(RuntimeMethods.render, RenderRequest(viewID: "other"), callID: 2)
      try $0.appendCall(RuntimeMethods.health, Nothing(), callID: 3)
    }
    let tree = try RuntimeMethods.render.response(try supervisor.receiveTraffic().payload.span)
    let action = ToolbarAction.publishEvent(eventType: "com.example.echo.again", payload: nil)
    #expect(tree == .list([.text("<b>", style: .title), .button(title: "Again", action: action)]))
    #expect(try supervisor.receiveTraffic().failure == .notFound("other"))
    #expect(try supervisor.receiveTraffic().header.kind == .reply)
  }
}
