internal import ForsettiModuleKit

/// Draws a search from what it knows; nothing is waited for in here.
struct SearchView {
  let subject: SearchSubject
  /// Whose events buttons publish.
  let moduleID: String
  let state: SearchState

  /// The whole view.
  var tree: ViewNode {
    var nodes: [ViewNode] = [.text(subject.plural.capitalisedFirst, style: .title), tabs]
    if let notice = state.notice { nodes.append(.badge(notice.text, tone: notice.tone)) }
    if let shared = state.shared { nodes.append(sharing(shared)) }
    switch state.panel {
    case .search:
      if let detail = state.detail {
        nodes += self.detail(detail)
      } else {
        nodes.append(searchForm)
        if let results = state.results { nodes += found(results) }
      }
    case .query: nodes += query
    case .saved: nodes += saved
    }
    return .list(nodes)
  }

  func button(_ title: String, _ verb: SearchVerb, _ payload: [String: String] = [:]) -> ViewNode {
    .button(
      title: title,
      action: .publishEvent(
        eventType: type(verb), payload: payload.isEmpty ? nil : payload))
  }

  func type(_ verb: SearchVerb) -> String { ModuleDesk.type(verb.rawValue, of: moduleID) }

  private var tabs: ViewNode {
    .list([
      button("Search", .show, ["panel": SearchState.Panel.search.rawValue]),
      button("Query", .show, ["panel": SearchState.Panel.query.rawValue]),
      button("Saved", .show, ["panel": SearchState.Panel.saved.rawValue]),
    ])
  }

  private var searchForm: ViewNode {
    let usual = "Usual columns"
    let names = state.profiles.items.map(\.name)
    return .form(
      ViewForm(
        fields: [
          ViewField(
            fieldID: "text", label: "Name, serial number, user or another mark; empty lists all", kind: .text,
            value: state.text),
          ViewField(
            fieldID: "profile", label: "Columns", kind: .choice([usual] + names),
            value: state.profile.flatMap { state.profiles[$0]?.name } ?? usual),
        ], submitTitle: "Search", eventType: type(.search)))
  }

  private func sharing(_ text: String) -> ViewNode {
    .list([
      .text("Markdown to copy", style: .heading), .text(text, style: .code),
      button("Put away", .unshare),
    ])
  }

  /// What went wrong and what to do.
  func failure(_ failure: JamfFailure) -> ViewNode {
    .list([.badge(failure.what, tone: .error), .text(failure.advice)])
  }

  /// That the fields of the organisation's own are not there, and why.
  var missingAttributes: [ViewNode] {
    guard case .failed(let failure) = state.attributes else { return [] }
    return [
      .badge("Extension attributes are missing: \(failure.what)", tone: .warning),
      .text(failure.advice, style: .caption),
    ]
  }
}

// MARK: - Results

extension SearchView {
  private func found(_ results: SearchResults) -> [ViewNode] {
    var nodes: [ViewNode] = [.text(headline(results), style: .heading)]
    switch results.state {
    case .running:
      let total = results.total.map { " of \($0)" } ?? ""
      nodes.append(
        results.step.map { .progress(nil, label: $0) }
          ?? .progress(results.progress, label: "Looked at \(results.looked)\(total)"))
      nodes.append(button("Cancel", .cancel))
    case .complete: break
    case .cancelled: nodes.append(.badge("Cancelled: there may be more.", tone: .warning))
    case .refused(let reason):
      nodes.append(.badge("None of the query's comparisons can be made. \(reason.advice)", tone: .error))
    case .full:
      nodes.append(
        .badge("Only the first \(SearchResults.limit) are kept; search for less.", tone: .warning))
    case .failed(let failure):
      nodes.append(self.failure(failure))
      if !results.records.isEmpty { nodes.append(.text("What was found before stays below.")) }
    }
    if let note = results.note { nodes.append(.text("Note: \(note).", style: .caption)) }
    if results.assigned > 0 {
      let are = results.assigned == 1 ? "device is" : "devices are"
      nodes.append(
        .text("\(results.assigned) more \(are) in a PreStage and not enrolled.", style: .caption))
    }
    guard !results.records.isEmpty else {
      if results.state == .complete {
        nodes.append(.text("Nothing was found. Search for less of the name, or look at the spelling."))
      }
      return nodes
    }
    nodes.append(table(results))
    nodes.append(.list(pageButtons(results)))
    nodes.append(.list(shareButtons(results)))
    return nodes
  }

  private func headline(_ results: SearchResults) -> String {
    let count = results.records.count - results.assigned
    return "\(count) \(count == 1 ? subject.noun : subject.plural): \(results.title)"
  }

  private func table(_ results: SearchResults) -> ViewNode {
    let fields = results.columns.compactMap { state.catalogue[$0] }
    let chosen = Set(state.selection)
    let rows = results.shown.map { record -> [ViewNode] in
      let cells = fields.map { field -> ViewNode in
        if field.key == subject.nameKey { return .text(subject.title(record)) }
        return .text(record[field.key].map { field.shown($0) } ?? "")
      }
      return cells + [
        button("Open", .open, ["id": record.id.text]),
        button(chosen.contains(record.id) ? "Chosen" : "Choose", .select, ["id": record.id.text]),
      ]
    }
    return .table(columns: fields.map(\.label) + ["", ""], rows: rows)
  }

  private func pageButtons(_ results: SearchResults) -> [ViewNode] {
    guard results.pageCount > 1 else { return [] }
    let page = min(max(0, results.page), results.pageCount - 1)
    var nodes: [ViewNode] = [.text("Page \(page + 1) of \(results.pageCount)", style: .caption)]
    if page > 0 { nodes.append(button("Previous", .page, ["page": "\(page - 1)"])) }
    if page + 1 < results.pageCount { nodes.append(button("Next", .page, ["page": "\(page + 1)"])) }
    return nodes
  }

  private func shareButtons(_ results: SearchResults) -> [ViewNode] {
    guard !state.selection.isEmpty else { return [button("Export all as Markdown", .export)] }
    return [
      .text("\(state.selection.count) chosen", style: .caption), button("Share as Markdown", .share),
      button("Export as Markdown", .export), button("Choose none", .selectNone),
    ]
  }
}

extension String {
  /// With a capital first letter.
  fileprivate var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
