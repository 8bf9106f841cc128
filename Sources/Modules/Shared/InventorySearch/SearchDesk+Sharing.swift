internal import ForsettiModuleKit

extension SearchDesk {
  /// Bytes of Markdown that are shown.
  private static let shownLimit = 64 << 10

  /// Chooses a record, or takes that back.
  func select(_ id: String) {
    guard let record = state.results?.records.first(where: { $0.id.text == id }) else { return }
    if let place = state.selection.firstIndex(of: record.id) {
      update { $0.selection.remove(at: place) }
    } else if state.selection.count < SearchState.selectionLimit {
      update { $0.selection.append(record.id) }
    } else {
      notify("\(SearchState.selectionLimit) are chosen already; export them first.", .warning)
    }
  }

  /// Shows as Markdown what is open, or what is chosen.
  func share() {
    let text = RecordMarkdown.document(sharedRecords())
    guard text.utf8.count <= Self.shownLimit else {
      notify("This is too much to be shown; export it as a file.", .warning)
      return
    }
    update { $0.shared = text }
  }

  /// Writes Markdown into files: what is open, else what is chosen, else all that was found.
  func export() async {
    guard let export = tools.export else {
      notify("This host lets the module write no files; share a few records instead.", .error)
      return
    }
    let records = sharedRecords()
    guard !records.isEmpty else {
      notify("There is nothing to export; search first.", .warning)
      return
    }
    let documents = RecordMarkdown.documents(records).map { Array($0.utf8) }
    let paths: [String]
    do throws(ServiceError) { paths = try await export(documents, subject.plural) } catch {
      tools.logger.error("an export failed", error: error)
      notify("The export failed, perhaps after some of its files: \(error). \(error.advice)", .error)
      return
    }
    let what = records.count == 1 ? "1 \(subject.noun)" : "\(records.count) \(subject.plural)"
    notify("Exported \(what) to \(paths.joined(separator: ", ")).", .success)
  }

  private func sharedRecords() -> [SharedRecord] {
    if let detail = state.detail { return [shared(detail.record, state.catalogue.fields)] }
    guard let results = state.results else { return [] }
    let fields = results.columns.compactMap { state.catalogue[$0] }
    return (state.selection.isEmpty ? results.records : state.selected).map { shared($0, fields) }
  }

  private func shared(_ record: InventoryRecord, _ fields: [InventoryField]) -> SharedRecord {
    SharedRecord(
      title: subject.title(record),
      fields: fields.map { field in (field.label, record[field.key].map { field.shown($0) }) })
  }
}
