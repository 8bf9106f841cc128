internal import ForsettiModuleKit

/// What the desk of diagnostics shows.
struct DiagnosticsView: Sendable, Equatable {
  var query = EventQuery()
  /// From 0, the newest events first.
  var page = 0
  /// What the last button came to, and whether it went well.
  var notice: Notice?

  struct Notice: Sendable, Equatable {
    var text: String
    var tone: ViewTone
  }

  static let viewID = "diagnostics"
  /// Events of one page.
  static let pageSize = 50
  static let confirmation = TypedConfirmation(of: "clear")

  /// Draws it.
  /// - Parameters:
  ///   - failures: writes of the storage that failed; `nil` where there is no storage.
  ///   - type: the event type of a verb.
  func node(_ log: EventLog, failures: Int?, type: (String) -> String) -> ViewNode {
    let found = log.events.reversed().filter { query.matches($0.report) }
    var nodes: [ViewNode] = [.text("Diagnostics", style: .title), summary(log, failures)]
    if let notice { nodes.append(.badge(notice.text, tone: notice.tone)) }
    nodes.append(filterForm(log, type))
    nodes.append(.text("\(found.count) of \(log.events.count) events", style: .heading))
    nodes += events(found, type)
    nodes.append(
      .list([
        .text("Export what the filter lets through, older events in the storage too", style: .heading),
        exportButton(.json, "JSON", type), exportButton(.markdown, "Markdown", type),
      ]))
    nodes.append(.text("Clear all events, here and in the storage", style: .heading))
    nodes.append(
      .form(
        ViewForm(fields: [Self.confirmation.field], submitTitle: "Clear", eventType: type("clear"))))
    return .list(nodes)
  }

  private func summary(_ log: EventLog, _ failures: Int?) -> ViewNode {
    var pairs = log.counts.map { ViewKeyValue($0.severity.rawValue, .text("\($0.count)")) }
    switch failures {
    case nil:
      pairs.append(ViewKeyValue("storage", .badge("not granted: events live in memory", tone: .warning)))
    case 0: pairs.append(ViewKeyValue("storage", .badge("kept", tone: .success)))
    case let count?:
      pairs.append(
        ViewKeyValue("storage", .badge("\(count) writes failed; events live in memory", tone: .error)))
    }
    return .keyValues(pairs)
  }

  private func filterForm(_ log: EventLog, _ type: (String) -> String) -> ViewNode {
    let severities = [EventQuery.everything] + LogLevel.allCases.map(\.rawValue)
    let sources = [EventQuery.everything] + log.sources
    return .form(
      ViewForm(
        fields: [
          ViewField(fieldID: "text", label: "Text", kind: .text, value: query.text),
          ViewField(
            fieldID: "severity", label: "This severity or worse", kind: .choice(severities),
            value: query.atLeast?.rawValue ?? EventQuery.everything),
          ViewField(
            fieldID: "source", label: "Source", kind: .choice(sources),
            value: query.source ?? EventQuery.everything),
        ], submitTitle: "Filter", eventType: type("filter")))
  }

  private func events(_ found: [LoggedEvent], _ type: (String) -> String) -> [ViewNode] {
    guard !found.isEmpty else { return [.text("Nothing was reported that the filter lets through.")] }
    let pages = (found.count + Self.pageSize - 1) / Self.pageSize
    let page = min(page, pages - 1)
    let rows = found.dropFirst(page * Self.pageSize).prefix(Self.pageSize).map(row)
    var nodes: [ViewNode] = [
      .table(columns: ["Time", "Severity", "Source", "Category", "Message", "Facts"], rows: Array(rows))
    ]
    if page > 0 { nodes.append(pageButton("Newer", page - 1, type)) }
    if page < pages - 1 { nodes.append(pageButton("Older", page + 1, type)) }
    return nodes
  }

  private func row(_ event: LoggedEvent) -> [ViewNode] {
    let report = event.report
    return [
      .text(timestampText(report.time), style: .code),
      .badge(report.severity.rawValue, tone: Self.tone(report.severity)),
      .text(report.source), .text(report.category), .text(report.message),
      .text(DiagnosticsDocument.metadata(report), style: .code),
    ]
  }

  private static func tone(_ severity: LogLevel) -> ViewTone {
    switch severity {
    case .debug: .neutral
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }

  private func pageButton(_ title: String, _ page: Int, _ type: (String) -> String) -> ViewNode {
    .button(title: title, action: .publishEvent(eventType: type("page"), payload: ["page": "\(page)"]))
  }

  private func exportButton(_ format: DiagnosticFormat, _ title: String, _ type: (String) -> String)
    -> ViewNode
  {
    .button(
      title: title, action: .publishEvent(eventType: type("export"), payload: ["format": format.rawValue]))
  }
}
