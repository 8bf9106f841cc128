internal import ForsettiModuleKit

/// Draws the desk.
struct SupportView {
  let state: SupportState
  /// Newest first.
  let operations: [SupportOperation]
  var admin = TemporaryAdminConfig()
  var adminRuns: [TemporaryAdminRun] = []
  var applications: [ApplicationRun] = []
  /// Milliseconds since 1970.
  let now: Int64

  static let viewID = "support-technician"
  private static let moduleID = SupportTechnicianManifest.manifest.moduleID

  /// Everything, from the search to what was ordered.
  var node: ViewNode {
    .list([.text("Support Technician", style: .title)] + notice + secrets + search + body + ordered + setting)
  }

  /// A button of a verb.
  static func button(_ title: String, _ verb: String, _ payload: [String: String] = [:]) -> ViewNode {
    .button(
      title: title,
      action: .publishEvent(eventType: ModuleDesk.type(verb, of: moduleID), payload: payload))
  }

  /// A form of a verb.
  static func form(_ verb: String, _ fields: [ViewField], submit: String) -> ViewNode {
    .form(ViewForm(fields: fields, submitTitle: submit, eventType: ModuleDesk.type(verb, of: moduleID)))
  }

  /// A choice of one: the answer says which Mac it is for, whoever has changed the desk meanwhile.
  static func macField(_ id: SupportDeviceID) -> ViewField {
    ViewField(fieldID: "device", label: "Mac", kind: .choice([id.text]), value: id.text, isRequired: true)
  }

  private var notice: [ViewNode] {
    guard let notice = state.notice else { return [] }
    let tone = notice.tone == .success ? "Done" : "Please note"
    return [
      .list(
        [.badge(tone, tone: notice.tone), .text(notice.text)] + (notice.advice.map { [.text($0)] } ?? []))
    ]
  }

  private var secrets: [ViewNode] {
    var nodes: [ViewNode] = []
    if let shown = state.shown {
      nodes += [
        .text(shown.title, style: .heading), .text(shown.value, style: .code),
        .text("It is shown this once, and hidden after a minute.", style: .caption),
        Self.button("Hide", "hide"),
      ]
    }
    nodes += state.vault.titles.map { waiting in
      .list([
        .badge("Secret", tone: .warning), .text(waiting.title),
        Self.button("Show once", "reveal", ["handle": waiting.handle.text]),
      ])
    }
    return nodes
  }

  private var search: [ViewNode] {
    let form = Self.form(
      "search",
      [
        ViewField(
          fieldID: "query", label: "Name, serial number, user or e-mail address", kind: .text,
          value: state.query,
          isRequired: true),
        ViewField(
          fieldID: "scope", label: "Among", kind: .choice(SupportSearchScope.allCases.map(\.rawValue)),
          value: state.scope.rawValue),
      ],
      submit: "Search")
    guard !state.searching.isEmpty else { return [form] }
    return [
      form, .progress(nil, label: "Searching for \(state.query.quoted())"),
      Self.button("Cancel", "cancel"),
    ]
  }

  private var body: [ViewNode] {
    if let page = state.page {
      let run = adminRuns.last { $0.device == page.id }
      return SupportPageView(
        page: page, operations: operations, admin: admin, adminRun: run,
        applications: applications.filter { $0.device == page.id }.reversed(), now: now
      ).nodes
    }
    guard let result = state.result else { return [] }
    return SupportResultView(result: result, isSearching: !state.searching.isEmpty).nodes
  }

  private var setting: [ViewNode] {
    state.page == nil ? TemporaryAdminView(config: admin).setting : []
  }

  /// Orders that are shown.
  private static let shownOrders = 20

  private var ordered: [ViewNode] {
    guard !operations.isEmpty else { return [] }
    let rows = operations.prefix(Self.shownOrders).map { operation -> [ViewNode] in
      [
        .text(operation.order.title), .text(operation.deviceName),
        .text(timestampText(operation.begun), style: .caption),
        operation.isPending
          ? .progress(operation.progress, label: operation.word)
          : .badge(operation.word, tone: operation.tone),
        .text(operation.summary),
      ]
    }
    let pending = operations.contains(where: \.isPending) ? [Self.button("Look now", "refresh")] : []
    return [
      .text("Orders", style: .heading),
      .table(columns: ["Action", "Device", "Ordered", "State", "What is known"], rows: rows),
    ] + pending
  }
}

extension SupportOperation {
  fileprivate var tone: ViewTone {
    switch state {
    case .sending, .following: .info
    case .accepted, .done: .success
    case .timedOut, .uncertain: .warning
    case .failed: .error
    }
  }
}
