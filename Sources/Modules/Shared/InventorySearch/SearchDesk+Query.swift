internal import ForsettiModuleKit

extension SearchDesk {
  /// Chooses the field that is compared next, by the words of the form.
  func chooseField(_ payload: [String: String]) {
    guard let wanted = payload["field"],
      let field = state.catalogue.fields.first(where: { state.catalogue.title($0) == wanted })
    else {
      notify("This field is not known here; choose another.", .warning)
      return
    }
    let group = QueryForms.group(payload["group"] ?? "", of: state.draft)
    update { $0.draft.choose(field.key, group: group) }
  }

  /// Takes the comparison of the field that was chosen.
  func addCriterion(_ payload: [String: String]) {
    guard let key = state.draft.chosen?.field, let field = state.catalogue[key] else {
      notify("Choose a field first.", .warning)
      return
    }
    guard
      let comparison = field.query.type.operators.first(where: { $0.title == payload["comparison"] })
    else {
      notify(RSQLDropReason.operatorDoesNotFit.advice, .warning)
      return
    }
    let input = CriterionInput(
      comparison: comparison, value: payload["value"] ?? "", until: payload["until"] ?? "")
    do throws(RSQLDropReason) {
      let criterion = try input.criterion(of: field)
      update { $0.draft.add(criterion) }
    } catch { notify(error.advice, .warning) }
  }

  // MARK: Smart filters

  func saveFilter(_ name: String) async {
    guard !state.draft.query.isEmpty else {
      notify("The query has nothing to compare; choose a field first.", .warning)
      return
    }
    let filter = SmartFilter(name: name.trimmedScalars, query: state.draft.query, fields: fields.sorted())
    await keep(\.filters, "Kept the filter \(filter.name.quoted()).") { (list, time) throws(SaveRefusal) in
      try list.save(filter, at: time)
    }
  }

  func runFilter(_ id: Int) {
    guard let filter = state.filters[id] else { return notifyGone() }
    runQuery(filter.query, title: "the filter \(filter.name.quoted())", fields: filter.fields)
  }

  func editFilter(_ id: Int) {
    guard let filter = state.filters[id] else { return notifyGone() }
    update {
      $0.draft = QueryDraft(filter.query)
      $0.panel = .query
    }
  }

  func deleteFilter(_ id: Int) async {
    await keep(\.filters, "The filter is deleted.") { (list, _) throws(SaveRefusal) in list.remove(id) }
  }

  // MARK: Profiles

  /// Keeps the fields whose toggles are on.
  func saveProfile(_ payload: [String: String]) async {
    let fields = state.catalogue.fields.map(\.key).filter { payload[QueryForms.toggle($0)] == "true" }
    guard (1...SavedNames.fieldLimit).contains(fields.count) else {
      notify("A profile has 1 to \(SavedNames.fieldLimit) columns; \(fields.count) were chosen.", .warning)
      return
    }
    let profile = SearchProfile(name: (payload["name"] ?? "").trimmedScalars, fields: fields.sorted())
    await keep(\.profiles, "Kept the profile \(profile.name.quoted()).") { (list, time) throws(SaveRefusal) in
      try list.save(profile, at: time)
    }
  }

  func deleteProfile(_ id: Int) async {
    if state.profile == id { update { $0.profile = nil } }
    await keep(\.profiles, "The profile is deleted.") { (list, _) throws(SaveRefusal) in list.remove(id) }
  }

  private func notifyGone() { notify("It is deleted already.", .warning) }
}
