internal import ForsettiModuleKit

extension SearchDesk {
  /// Searches by free text; without any it lists everything.
  /// - Parameter profile: the name of one, as the form has it.
  func searchText(_ text: String, profile name: String?) {
    let text = text.trimmedScalars
    guard text.utf8.count <= RSQLValue.byteLimit else {
      notify(RSQLDropReason.valueTooLong.advice, .warning)
      return
    }
    let profile = name.flatMap { name in state.profiles.items.first { $0.name == name } }
    update {
      $0.text = text
      $0.profile = profile?.id
    }
    run(.text(text), title: text.isEmpty ? "all" : text.quoted(), fields: fields)
  }

  /// Searches by a query.
  func runQuery(_ query: RSQLQuery, title: String, fields: [String]) {
    guard !query.isEmpty else {
      notify("The query has nothing to compare; choose a field first.", .warning)
      return
    }
    run(.query(query), title: title, fields: fields)
  }

  private func run(_ wanted: SearchRequest.Wanted, title: String, fields: [String]) {
    // The organisation's fields may still be read: they are wanted now too.
    searching?.cancel()
    reading?.cancel()
    searchNumber += 1
    let number = searchNumber
    update {
      $0.panel = .search
      $0.detail = nil
      $0.selection = []
      $0.shared = nil
      $0.results = SearchResults(title: title, columns: subject.columns)
    }
    searching = Task { [weak self] in await self?.perform(wanted, fields, number) }
  }

  private func perform(_ wanted: SearchRequest.Wanted, _ fields: [String], _ number: Int) async {
    let named = Set(fields).union(wanted.fields)
    // Fields that are not known may be the organisation's own.
    if state.attributes != .read, named.contains(where: { state.catalogue[$0] == nil }) {
      await readAttributes()
    }
    guard number == searchNumber else { return }
    guard !Task.isCancelled else {
      finish(number, .cancelled)
      return
    }
    var request = SearchRequest(wanted: wanted, columns: columns(of: fields), catalogue: state.catalogue)
    let dropped = request.dropped
    if let reason = dropped.first?.reason, dropped.count == wanted.fields.count {
      finish(number, .refused(reason))
      return
    }
    update {
      $0.results?.columns = request.columns
      if !dropped.isEmpty {
        $0.results?.add(note: "\(dropped.count) comparisons were left out, see the query")
      }
    }
    // A PreStage that is compared must be known first; where it is only shown, the rows need not wait for it.
    let isCompared = wanted.fields.contains(subject.prestageKey)
    do throws(JamfFailure) {
      if isCompared { request.prestages = try await prestages(for: request, number) }
      let attempt = try await search.run(request) { page in
        guard number == searchNumber else { return false }
        return await take(page)
      }
      if !isCompared { request.prestages = try await prestages(for: request, number) }
      try await addPrestages(of: request, attempt, number)
      finish(number, .complete, note: attempt.note)
      if let note = attempt.note { await report("A search was asked for in a simpler way", ["how": note]) }
    } catch .cancelled {
      finish(number, .cancelled)
    } catch {
      finish(number, .failed(error))
      await report("A search failed", ["why": error.what])
    }
  }

  /// Takes the records of a page, and tells that there are some to be drawn before the next page is asked for.
  /// - Returns: whether there is room for more.
  private func take(_ page: SearchPage) async -> Bool {
    update { $0.results?.take(page) }
    let isRunning = state.results?.state == .running
    await told()
    return isRunning
  }

  /// A search that another has replaced says nothing any more.
  private func finish(_ number: Int, _ end: SearchResults.State, note: String? = nil) {
    guard number == searchNumber else { return }
    update {
      if $0.results?.state == .running { $0.results?.state = end }
      if let note { $0.results?.add(note: note) }
    }
  }

  /// Tells diagnostics, never what was searched for.
  func report(_ message: String, _ metadata: [String: String]) async {
    let report = DiagnosticReport(
      category: "search", severity: .warning, message: message, metadata: metadata)
    do { try await tools.diagnostics?.emit(report) } catch {
      tools.logger.warning("a failed search could not be reported", error: error)
    }
  }
}

// MARK: - One record

extension SearchDesk {
  /// Shows a record whole: at once what the row knows, then what Jamf Pro says.
  func open(_ id: String) {
    guard let row = state.results?.records.first(where: { $0.id.text == id }) else {
      notify("This \(subject.noun) is no more among the results; search again.", .warning)
      return
    }
    reading?.cancel()
    readNumber += 1
    let (record, number) = (row.id.number, readNumber)
    update {
      $0.shared = nil
      $0.detail = SearchDetail(record: row, isLoading: record != nil)
    }
    guard let record else { return }
    reading = Task { [weak self] in await self?.read(record, number) }
  }

  func close() {
    reading?.cancel()
    update {
      $0.detail = nil
      $0.shared = nil
    }
  }

  private func read(_ record: Int64, _ number: Int) async {
    if state.attributes == .unread { await readAttributes() }
    do throws(JamfFailure) {
      let found = try await search.detail(record, state.catalogue)
      finishReading(number) {
        if let found { $0.record = $0.record.merging(found) }
        $0.isGone = found == nil
      }
    } catch {
      finishReading(number) { $0.failure = error }
      if error != .cancelled { await report("A record could not be read", ["why": error.what]) }
    }
  }

  /// A record that was closed, or opened anew, takes nothing any more.
  private func finishReading(_ number: Int, _ change: (inout SearchDetail) -> Void) {
    guard number == readNumber, var detail = state.detail else { return }
    change(&detail)
    detail.isLoading = false
    update { $0.detail = detail }
  }

  /// Reads which fields the organisation has added; whoever asks meanwhile waits for the same answer.
  func readAttributes() async {
    if readingAttributes == nil {
      readingAttributes = Task { [weak self] in await self?.performReadingAttributes() }
    }
    await readingAttributes?.value
  }

  private func performReadingAttributes() async {
    update { $0.attributes = .reading }
    do throws(JamfFailure) {
      let fields = try await search.extensionAttributes().map { $0.field(prefix: subject.attributePrefix) }
      update {
        $0.catalogue = subject.catalogue
        $0.catalogue.add(fields)
        $0.attributes = .read
      }
    } catch .cancelled {
      update { $0.attributes = .unread }
    } catch {
      update { $0.attributes = .failed(error) }
    }
    readingAttributes = nil
  }
}
