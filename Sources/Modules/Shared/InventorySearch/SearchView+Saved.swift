internal import ForsettiModuleKit

extension SearchView {
  /// Smart filters and profiles that are kept.
  var saved: [ViewNode] {
    var nodes: [ViewNode] = [.text("Smart filters", style: .heading)]
    if state.filters.items.isEmpty {
      nodes.append(.text("None is kept. Put a query together, then keep it."))
    } else {
      nodes.append(filters)
    }
    nodes.append(.text("Profiles: columns to show", style: .heading))
    if !state.profiles.items.isEmpty { nodes.append(profiles) }
    return nodes + [attributes, profileForm]
  }

  private var filters: ViewNode {
    .table(
      columns: ["Name", "Comparisons", "", "", ""],
      rows: state.filters.items.map { filter in
        let id = ["id": "\(filter.id)"]
        return [
          .text(filter.name), .text("\(filter.query.groups.reduce(0) { $0 + $1.criteria.count })"),
          button("Run", .runFilter, id), button("Edit", .editFilter, id),
          button("Delete", .deleteFilter, id),
        ]
      })
  }

  private var profiles: ViewNode {
    .table(
      columns: ["Name", "Columns", ""],
      rows: state.profiles.items.map { profile in
        let labels = profile.fields.map { key in state.catalogue[key].map(\.label) ?? key }
        return [
          .text(profile.name), .text(labels.joined(separator: ", ")),
          button("Delete", .deleteProfile, ["id": "\(profile.id)"]),
        ]
      })
  }

  private var attributes: ViewNode {
    switch state.attributes {
    case .unread, .read: button("Read the extension attributes again", .readAttributes)
    case .reading: .progress(nil, label: "Reading the extension attributes")
    case .failed(let failure):
      .list([self.failure(failure), button("Read the extension attributes again", .readAttributes)])
    }
  }

  private var profileForm: ViewNode {
    let usual = Set(subject.columns)
    let toggles = state.catalogue.fields.map { field in
      ViewField(
        fieldID: QueryForms.toggle(field.key), label: state.catalogue.title(field), kind: .toggle,
        value: usual.contains(field.key) ? "true" : "false")
    }
    return .form(
      ViewForm(
        fields: [ViewField(fieldID: "name", label: "Name of the profile", kind: .text, isRequired: true)]
          + toggles, submitTitle: "Keep the profile", eventType: type(.saveProfile)))
  }
}
