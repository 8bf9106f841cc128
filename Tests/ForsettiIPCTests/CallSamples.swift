import ForsettiCore
import ForsettiIPC

/// A request and a response of one method, as bytes, and the way back from bytes to the same.
struct CallSample: Sendable {
  var info: MethodInfo
  var head: CallHead
  var request: [UInt8]
  var response: [UInt8]
  /// Rules of the CDDL; `nil` where it is one of its own types.
  var rules: (request: String, response: String)
  /// Decodes and encodes again.
  var requestAgain: @Sendable ([UInt8]) throws -> [UInt8]
  var responseAgain: @Sendable ([UInt8]) throws -> [UInt8]
  /// Whether the decoded value is the one that was encoded.
  var survives: @Sendable () throws -> Bool

  init<Request: CallValue & Equatable, Response: CallValue & Equatable>(
    _ method: ServiceMethod<Request, Response>, _ request: Request, _ response: Response,
    _ requestRule: String, _ responseRule: String
  ) throws {
    let head = method.head(for: request)
    let requestBytes = try encoded(request)
    let responseBytes = try encoded(response)
    self.info = method.info
    self.head = head
    self.request = requestBytes
    self.response = responseBytes
    self.rules = (requestRule, responseRule)
    self.requestAgain = { try encoded(method.request(head, $0.span)) }
    self.responseAgain = { try encoded(method.response($0.span)) }
    self.survives = {
      let sameRequest = try method.request(head, requestBytes.span) == request
      let sameResponse = try method.response(responseBytes.span) == response
      return sameRequest && sameResponse
    }
  }
}

func encoded(_ value: some CallValue) throws -> [UInt8] {
  var writer = CBORWriter()
  try value.encode(into: &writer)
  return writer.bytes
}

extension Samples {
  /// One or more of every method.
  static func calls() throws -> [CallSample] {
    try runtimeCalls() + storeCalls() + hostCalls() + roleCalls()
  }

  private static func runtimeCalls() throws -> [CallSample] {
    [
      try CallSample(
        RuntimeMethods.subscribe, "com.example.*", -7, "subscribe-request", "subscribe-response"),
      try CallSample(RuntimeMethods.unsubscribe, .max, Nothing(), "unsubscribe-request", "nothing"),
      try CallSample(
        RuntimeMethods.sendMessage,
        MessageRequest(target: "com.example.b", type: "greeting", payload: ["b": "2", "a": "ünï", "aa": ""]),
        Nothing(), "send-message-request", "nothing"),
      try CallSample(
        RuntimeMethods.render, RenderRequest(viewID: "v", parameters: ["k": "v"]), views, "render-request",
        "render-response"),
      try CallSample(
        RuntimeMethods.render, RenderRequest(viewID: ""), .text(""), "render-request", "render-response"),
      try CallSample(RuntimeMethods.health, Nothing(), Nothing(), "nothing", "nothing"),
      try CallSample(
        RuntimeMethods.receiveSecret,
        SecretRequest(secretID: "account", values: ["key": "-----\n\u{1F511}\n-----", "a": ""]), Nothing(),
        "receive-secret-request", "nothing"),
    ]
  }

  private static func storeCalls() throws -> [CallSample] {
    [
      try CallSample(
        StorageMethods.set, StoreEntry(store: "s", key: "k", value: "v"), Nothing(), "set-request", "nothing"),
      try CallSample(
        StorageMethods.value, StoreKey(store: nil, key: "k"), "v", "key-request", "value-response"),
      try CallSample(
        StorageMethods.value, StoreKey(store: "s", key: ""), nil, "key-request", "value-response"),
      try CallSample(
        StorageMethods.removeValue, StoreKey(store: nil, key: "k"), Nothing(), "key-request", "nothing"),
      try CallSample(
        StorageMethods.keys, StoreListing(store: nil, prefix: "a", cursor: "ab"), ["abc", "ad"],
        "keys-request",
        "keys-response"),
      try CallSample(
        SecureStorageMethods.set, StoreEntry(store: nil, key: "k", value: Bytes([0, 255])), Nothing(),
        "set-secret-request", "nothing"),
      try CallSample(
        SecureStorageMethods.value, StoreKey(store: nil, key: "k"), Bytes([1]), "key-request",
        "secret-response"),
      try CallSample(
        SecureStorageMethods.removeValue, StoreKey(store: nil, key: "k"), Nothing(), "key-request", "nothing"),
      try CallSample(
        SecureStorageMethods.keys, StoreListing(store: "s", prefix: "", cursor: nil), [], "keys-request",
        "keys-response"),
    ]
  }

  private static func hostCalls() throws -> [CallSample] {
    let pair = KeyedPair(keyName: "k", companion: [1], data: [2, 3])
    let data = KeyedData(keyName: "k", data: [])
    return [
      try CallSample(
        NetworkingMethods.data,
        HTTPRequest(method: "PUT", url: "https://a.example/", headers: [HTTPField("A", "b")], body: [1]),
        HTTPResponse(
          status: 599, url: "https://b.example/", headers: [], body: [UInt8](repeating: 7, count: 300)),
        "http-request", "http-response"),
      try CallSample(
        FileExportMethods.export, ExportRequest(suggestedFileName: "a.txt", data: [1]), "/a.txt",
        "export-request", "tstr"),
      try CallSample(
        TelemetryMethods.track, NamedTexts("e", ["k": "v"]), Nothing(), "named-texts", "nothing"),
      try CallSample(CryptoUtilitiesMethods.random, 16, Bytes([4]), "int64", "bstr"),
      try CallSample(CryptoUtilitiesMethods.sha256, Bytes([1]), Bytes([2]), "bstr", "bstr"),
      try CallSample(CryptoUtilitiesMethods.hmac, data, Bytes([2]), "keyed-data", "bstr"),
      try CallSample(CryptoUtilitiesMethods.seal, pair, Bytes([2]), "keyed-pair", "bstr"),
      try CallSample(CryptoUtilitiesMethods.open, pair, Bytes([]), "keyed-pair", "bstr"),
      try CallSample(CryptoUtilitiesMethods.sign, data, Bytes([2]), "keyed-data", "bstr"),
      try CallSample(CryptoUtilitiesMethods.verify, pair, true, "keyed-pair", "bool"),
    ]
  }

  private static func roleCalls() throws -> [CallSample] {
    let statement = SQLStatement(
      "SELECT ?", [.null, .integer(.min), .real(-0.0), .real(.infinity), .text("é"), .blob([0])])
    let rows = SQLRows(columns: ["a", "b"], rows: [[.null, .integer(1)], [.real(0.1), .text("")]])
    let report = DiagnosticReport(
      source: "com.example.a", category: "c", severity: .warning, message: "m", metadata: ["k": "v"], time: -1
    )
    let filter = DiagnosticFilter(source: "s", category: "c", atLeast: .error, since: 0, limit: .max)
    return [
      try CallSample(SharedDatabaseMethods.query, statement, rows, "statement", "rows"),
      try CallSample(SharedDatabaseMethods.execute, statement, 3, "statement", "int64"),
      try CallSample(
        SharedDatabaseMethods.transaction, [statement, SQLStatement("x")],
        [rows, SQLRows(columns: [], rows: [])],
        "transaction-request", "transaction-response"),
      try CallSample(AuthenticationMethods.identity, Nothing(), manifest.descriptor, "nothing", "descriptor"),
      try CallSample(
        AuthenticationMethods.issueToken, TokenRequest(audience: "a", lifetime: 60), "t", "token-request",
        "tstr"),
      try CallSample(AuthenticationMethods.verify, "t", ["iss": "forsetti"], "tstr", "claims"),
      try CallSample(DiagnosticsMethods.emit, report, Nothing(), "report", "nothing"),
      try CallSample(DiagnosticsMethods.events, filter, [report, report], "filter", "reports"),
      try CallSample(DiagnosticsMethods.events, DiagnosticFilter(), [], "filter", "reports"),
      try CallSample(
        DiagnosticsMethods.export, DiagnosticExport(filter: filter, format: .markdown), Bytes([1]),
        "export-reports-request", "bstr"),
      try CallSample(
        APIMethods.request,
        APIRequest(
          method: "PATCH", path: "/a/b", query: [HTTPField("q", "1")], headers: [HTTPField("h", "2")],
          body: [9]),
        APIResponse(status: 100, headers: [HTTPField("h", "")], body: []), "api-request", "api-response"),
      try CallSample(SecurityMethods.grants, Nothing(), Capability.allCases, "nothing", "grants-response"),
      try CallSample(
        SecurityMethods.decision, .api, SecurityDecision(isGranted: false, reason: "no"), "capability",
        "decision-response"),
      try CallSample(
        SecurityMethods.reportIncident, NamedTexts("s", [:]), Nothing(), "named-texts", "nothing"),
    ]
  }

  /// Every kind of node.
  static let views = ViewNode.list(
    [
      .text("<b>", style: .code),
      .table(
        columns: ["a", "b"],
        rows: [[.text("1"), .badge("x", tone: .error)], [.text(""), .progress(nil, label: "")]]),
      .keyValues([ViewKeyValue("k", .text("v")), ViewKeyValue("l", .list([], style: .numbers))]),
      .form(
        ViewForm(
          fields: [
            ViewField(fieldID: "a", label: "A", kind: .text, value: "v", isRequired: true),
            ViewField(fieldID: "b", label: "B", kind: .multiline),
            ViewField(fieldID: "c", label: "C", kind: .secret),
            ViewField(fieldID: "d", label: "D", kind: .number),
            ViewField(fieldID: "e", label: "E", kind: .toggle, value: "true"),
            ViewField(fieldID: "f", label: "F", kind: .choice(["x", "y"]), value: "x"),
          ], submitTitle: "Go", eventType: "com.example.go")),
      .chart(ViewChart(.pie, labels: ["x", "y"], series: [ViewChart.Series("s", [1.5, -2])])),
      .progress(0.25, label: "p"),
      .button(title: "t", action: .navigate(pointerID: "p")),
      .button(title: "u", action: .publishEvent(eventType: "e", payload: ["k": "v"])),
    ], style: .bullets)

  /// One of every case.
  static let errors: [ServiceError] =
    ServiceError.Denial.allCases.map { .serviceDenied($0, detail: "d") } + [
      .serviceUnavailable(role: "api", why: "w"), .moduleCrashed(moduleID: "m"), .deadlineExceeded,
      .cancelled,
      .quotaExceeded("q"), .rateLimited(retryAfterMilliseconds: .max),
      .invalidArgument(name: "n", reason: "r"),
      .notFound("x"), .tooLarge(limit: .max), .failed(code: "c", message: "m"),
      .moduleCommunicationDenied(reason: "r"), .targetUnavailable(moduleID: "m"),
    ]
}
