import ForsettiCore

/// What a collector is told, as OpenTelemetry's protocol has it in JSON. A module is a scope of its own: what it puts into
/// its attributes can't pass for another's.
enum OTLPDocument {
  /// The scope of what the supervisor itself has to say.
  static let ownScope = CallSpan.supervisor

  /// `ExportLogsServiceRequest`.
  /// - Parameter lost: events that were lost since the last request.
  static func logs(_ batch: [TelemetryEvent], lost: Int) -> JSONValue {
    let modules = Dictionary(grouping: batch, by: \.moduleID).sorted { $0.key < $1.key }
    var scopes = modules.map { scope($0.key, "logRecords", $0.value.map(record)) }
    if lost > 0, let last = batch.last {
      let event = TelemetryEvent(
        time: last.time, moduleID: ownScope, name: "telemetry.lost", properties: [("events", "\(lost)")])
      scopes.append(scope(ownScope, "logRecords", [record(event)]))
    }
    return request("resourceLogs", "scopeLogs", scopes)
  }

  /// `ExportTraceServiceRequest`. What was lost of traces is a metric.
  static func traces(_ batch: [CallSpan], lost: Int) -> JSONValue {
    let modules = Dictionary(grouping: batch, by: \.moduleID).sorted { $0.key < $1.key }
    return request("resourceSpans", "scopeSpans", modules.map { scope($0.key, "spans", $0.value.map(span)) })
  }

  private static func request(_ resources: String, _ scopes: String, _ list: [JSONValue]) -> JSONValue {
    let resource = [("service.name", "forsetti"), ("service.version", ForsettiVersion.current.description)]
    return .object([
      (resources, .array([.object([("resource", .object([attributes(resource)])), (scopes, .array(list))])]))
    ])
  }

  private static func scope(_ name: String, _ records: String, _ list: [JSONValue]) -> JSONValue {
    .object([("scope", .object([("name", .string(name))])), (records, .array(list))])
  }

  private static func record(_ event: TelemetryEvent) -> JSONValue {
    // 64-bit numbers are text in protobuf's JSON.
    let time = JSONValue.string("\(event.time)000000")
    return .object([
      ("timeUnixNano", time), ("observedTimeUnixNano", time), ("severityNumber", .integer(9)),
      ("severityText", .string("INFO")), ("eventName", .string(event.name)),
      ("body", .object([("stringValue", .string(event.name))])),
      attributes(event.properties.map { ($0.key, $0.value) }),
    ])
  }

  private static func span(_ span: CallSpan) -> JSONValue {
    let attributes: [(String, String?)] = [
      ("forsetti.module", span.moduleID), ("forsetti.service", span.service?.rawValue),
      ("forsetti.method", span.method), ("forsetti.outcome", span.outcome),
      ("forsetti.provider", span.provider),
    ]
    return .object(omittingAbsent: [
      ("traceId", .string(span.context.traceID)),
      ("spanId", .string(TraceContext.text(of: span.context.spanID))),
      ("parentSpanId", span.parent.map { .string(TraceContext.text(of: $0)) }),
      ("name", .string(span.method)), ("kind", .integer(clientKind)),
      ("startTimeUnixNano", .string("\(span.begin)")), ("endTimeUnixNano", .string("\(span.end)")),
      Self.attributes(attributes.compactMap { key, value in value.map { (key, $0) } }),
      ("status", .object([("code", .integer(span.outcome == CallSpan.ok ? okStatus : errorStatus))])),
    ])
  }

  /// SPAN_KIND_CLIENT: the call as its caller sees it.
  private static let clientKind = 3
  private static let okStatus = 1
  private static let errorStatus = 2

  private static func attributes(_ pairs: [(String, String)]) -> (String, JSONValue) {
    (
      "attributes",
      .array(
        pairs.map { key, value in
          .object([("key", .string(key)), ("value", .object([("stringValue", .string(value))]))])
        })
    )
  }
}
