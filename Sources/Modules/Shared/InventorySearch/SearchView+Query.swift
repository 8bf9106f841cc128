internal import ForsettiModuleKit

extension SearchView {
  /// The query that is put together, and what becomes of it.
  var query: [ViewNode] {
    let draft = state.draft
    var nodes: [ViewNode] = [.text("Query", style: .heading)]
    for (number, group) in draft.query.groups.enumerated() where !group.criteria.isEmpty {
      nodes.append(self.group(group, number))
    }
    if draft.query.groups.count > 1 {
      nodes.append(
        .list([
          .text(draft.query.combinator == .and ? "All groups must hold." : "One of the groups must hold."),
          button("Change", .toggle),
        ]))
    }
    nodes.append(next)
    nodes += missingAttributes
    guard !draft.query.isEmpty else { return nodes }
    return nodes + outcome + [
      .list([button("Search by this query", .runQuery), button("Clear", .clearQuery)]),
      .form(
        ViewForm(
          fields: [ViewField(fieldID: "name", label: "Name of the filter", kind: .text, isRequired: true)],
          submitTitle: "Keep as a smart filter", eventType: type(.saveFilter))),
    ]
  }

  private func group(_ group: RSQLGroup, _ number: Int) -> ViewNode {
    let joint = group.combinator == .and ? "all of" : "one of"
    let rows = group.criteria.enumerated().map { place, criterion -> [ViewNode] in
      [
        .text(QueryForms.words(criterion, state.catalogue)),
        button("Remove", .removeCriterion, ["group": "\(number)", "criterion": "\(place)"]),
      ]
    }
    return .list([
      .table(columns: ["Group \(number + 1): \(joint)", ""], rows: rows),
      button(group.combinator == .and ? "Let one suffice" : "Ask for all", .toggle, ["group": "\(number)"]),
    ])
  }

  /// The form of the next step: a field, or what it is compared with.
  private var next: ViewNode {
    guard let chosen = state.draft.chosen, let field = state.catalogue[chosen.field] else {
      return fieldForm
    }
    let title = "Compare \(state.catalogue.title(field))"
    return .list([
      .text(title, style: .heading),
      .form(
        ViewForm(
          fields: comparisonFields(field), submitTitle: "Add to the query", eventType: type(.addCriterion))),
    ])
  }

  private var fieldForm: ViewNode {
    let groups = QueryForms.groups(of: state.draft)
    return .form(
      ViewForm(
        fields: [
          ViewField(
            fieldID: "field", label: "Field",
            kind: .choice(state.catalogue.fields.map { state.catalogue.title($0) })),
          ViewField(fieldID: "group", label: "Belongs to", kind: .choice(groups), value: groups.first ?? ""),
        ], submitTitle: "Compare this field", eventType: type(.chooseField)))
  }

  private func comparisonFields(_ field: InventoryField) -> [ViewField] {
    let comparisons = field.query.type.operators.map(\.title)
    var fields = [
      ViewField(
        fieldID: "comparison", label: "Comparison", kind: .choice(comparisons), value: comparisons.first ?? ""
      )
    ]
    switch field.query.type {
    case .bool: break
    case .date:
      fields.append(
        ViewField(fieldID: "value", label: "Day, as 2026-11-30, or a time in UTC", kind: .text))
      fields.append(ViewField(fieldID: "until", label: "For \"between\": until", kind: .text))
    case .integer, .double: fields.append(ViewField(fieldID: "value", label: "Number", kind: .number))
    case .enumeration:
      let known = field.choices.joined(separator: ", ")
      fields.append(
        ViewField(
          fieldID: "value", label: "Values, with commas between" + (known.isEmpty ? "" : "; known: \(known)"),
          kind: .text))
    case .string: fields.append(ViewField(fieldID: "value", label: "Text", kind: .text))
    }
    return fields
  }

  /// What the server is asked, and what is decided here.
  private var outcome: [ViewNode] {
    let plan = RSQLComposer { [catalogue = state.catalogue] in catalogue[$0]?.query }
      .compose(state.draft.query)
    var nodes: [ViewNode] = []
    if let filter = plan.filter {
      nodes += [.text("Jamf Pro is asked for", style: .caption), .text(filter, style: .code)]
    } else {
      nodes.append(.text("Jamf Pro is asked for all \(subject.plural).", style: .caption))
    }
    if let residual = plan.residual {
      let labels = residual.keys.sorted().map { key in
        state.catalogue[key].map { state.catalogue.title($0) } ?? key
      }
      nodes.append(.text("Decided here: \(labels.joined(separator: ", ")).", style: .caption))
    }
    for dropped in plan.dropped {
      let place = "Group \(dropped.group + 1), line \(dropped.criterion + 1)"
      nodes.append(.badge("\(place) is left out: \(dropped.reason.advice)", tone: .warning))
    }
    return nodes
  }
}
