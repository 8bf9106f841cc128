internal import ForsettiModuleKit

extension SearchView {
  /// One record whole.
  func detail(_ detail: SearchDetail) -> [ViewNode] {
    let record = detail.record
    var nodes: [ViewNode] = [
      .text(subject.title(record), style: .heading),
      .list([
        button("Back", .close), button("Share as Markdown", .share), button("Export as Markdown", .export),
      ]),
    ]
    if detail.isLoading {
      nodes.append(.progress(nil, label: "Reading the record"))
      nodes.append(button("Cancel", .cancel))
    }
    if let failure = detail.failure {
      nodes.append(self.failure(failure))
      nodes.append(.text("Below is what the list says."))
    }
    if detail.isGone {
      nodes.append(.badge("Jamf Pro has it no more; below is what the list said.", tone: .warning))
    }
    nodes += missingAttributes
    if !detail.isLoading, detail.failure == nil { nodes += summary(subject.summary(record)) }
    return nodes + sections(record)
  }

  private func summary(_ summary: DeviceSummary) -> [ViewNode] {
    var hardware: [ViewNode] = [
      .text("Hardware", style: .heading),
      .keyValues(summary.hardware.map { ViewKeyValue($0.label, .text($0.value)) }),
    ]
    if let use = summary.storageUse {
      hardware.append(.progress(use, label: "Storage used: \(Int((use * 100).rounded())) %"))
    }
    return [
      .list([
        .text("Security", style: .heading),
        .keyValues(
          summary.security.map { ViewKeyValue($0.title, .badge($0.state, tone: $0.tone)) }),
      ]),
      .list(hardware),
    ]
  }

  /// Every field that says something, by its section.
  private func sections(_ record: InventoryRecord) -> [ViewNode] {
    var names: [String] = []
    var pairs: [String: [ViewKeyValue]] = [:]
    for field in state.catalogue.fields {
      guard let value = record[field.key] else { continue }
      let section = field.query.section
      if pairs[section] == nil { names.append(section) }
      pairs[section, default: []].append(ViewKeyValue(field.label, .text(field.shown(value))))
    }
    return names.map { name in
      .list([.text(FieldText.shown(name), style: .heading), .keyValues(pairs[name] ?? [])])
    }
  }
}
