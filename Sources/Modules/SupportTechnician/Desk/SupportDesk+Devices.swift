internal import ForsettiModuleKit

// Finding a device, and reading it.
extension SupportDesk {
  /// Bytes of what somebody looks for.
  private static let queryLimit = 200

  /// Begins a search over both kinds at once, in place of the one before. One side that fails takes nothing from the other.
  func search(_ payload: [String: String]) {
    let text = (payload["query"] ?? "").trimmedScalars
    let scope = payload["scope"].flatMap(SupportSearchScope.init) ?? .all
    guard !text.isEmpty, text.utf8.count <= Self.queryLimit else {
      change {
        $0.notice = .error("Nothing was searched for.", "Enter 1 to \(Self.queryLimit) bytes of a name.")
      }
      return
    }
    searchTask?.cancel()
    closePage()
    change { state in
      (state.query, state.scope, state.searching) = (text, scope, Set(scope.kinds))
      (state.result, state.notice) = (SupportSearchResult(), nil)
    }
    searchTask = Task { [weak self] in
      await withTaskGroup { group in
        for kind in scope.kinds { group.addTask { await self?.searchSide(kind, text) } }
      }
    }
  }

  /// Ends the search; what was found stays.
  func cancelSearch() {
    searchTask?.cancel()
    guard !state.searching.isEmpty else { return }
    change { state in
      state.searching = []
      state.notice = .success("The search was cancelled.")
    }
  }

  private func searchSide(_ kind: SupportDeviceKind, _ text: String) async {
    let answer: Result<(found: [SupportDevice], hasMore: Bool), JamfFailure>
    do throws(JamfFailure) {
      answer = .success(try await SupportSearch(jamf: jamf).devices(kind, text))
    } catch {
      answer = .failure(error)
    }
    // Whoever cancelled it may have begun another.
    guard !Task.isCancelled else { return }
    change { state in
      switch answer {
      case .success(let side): state.result?.add(kind, side.found, hasMore: side.hasMore)
      case .failure(let failure): state.result?.failures[kind] = failure
      }
      state.searching.remove(kind)
    }
  }

  /// Opens the page of a device in place of the one before, and reads its record and its history, each for itself.
  func openPage(_ payload: [String: String]) {
    guard let id = payload["device"].flatMap({ SupportDeviceID(text: $0) }) else {
      change { $0.notice = .error("This is no device.", "Search again, and open one from the list.") }
      return
    }
    closePage()
    change { $0.page = SupportState.Page(id: id) }
    pageTask = Task { [weak self] in await self?.readPage(id) }
  }

  private func readPage(_ id: SupportDeviceID) async {
    let detail: SupportState.Loading<SupportDetail>
    do throws(JamfFailure) {
      let record = try await SupportSearch(jamf: jamf).record(id)
      detail =
        SupportDetail(id.kind, record, now: WallClock.now()).map { .ready($0) }
        ?? .failed(.unreadable("this is no record of a device."))
    } catch { detail = .failed(error) }
    guard !Task.isCancelled else { return }
    changePage(id) { $0.detail = detail }
    if let device = state.page?.device { await readHistory(of: device, id) }
  }

  /// Reads what a device was sent.
  func readHistory(of device: SupportDevice, _ id: SupportDeviceID) async {
    let history: SupportState.Loading<CommandHistory>
    do throws(JamfFailure) { history = .ready(try await SupportSearch(jamf: jamf).history(of: device)) } catch
    {
      history = .failed(error)
    }
    guard !Task.isCancelled else { return }
    changePage(id) { $0.history = history }
  }

  /// Goes back to what was found.
  func closePage() {
    pageTask?.cancel()
    hide()
    change { state in
      state.page = nil
      state.notice = nil
    }
  }

  /// Exports the open page as Markdown.
  func share(_ payload: [String: String]) async {
    guard let page = state.page, page.id.text == payload["device"], case .ready(let detail) = page.detail
    else {
      change { $0.notice = .error("No page is open to share.", "Open a device first.") }
      return
    }
    let name = ExportFileName.make(
      "support-\(detail.device.serial)", at: WallClock.now(), fileExtension: "md")
    guard let export = context.services.fileExport else {
      change { $0.notice = .error("Nothing was exported.", "The policy grants this module no file export.") }
      return
    }
    do throws(ServiceError) {
      let path = try await export.export(
        Array(RecordMarkdown.document([detail.shared]).utf8), suggestedFileName: name)
      change { $0.notice = .success("Exported to \(path.plain(limit: 400))") }
    } catch { change { $0.notice = .error("Nothing was exported: \(error)", error.advice) } }
  }

  /// Changes the page, if it is still the one of this device.
  private func changePage(_ id: SupportDeviceID, _ body: (inout SupportState.Page) -> Void) {
    change { state in
      guard var page = state.page, page.id == id else { return }
      body(&page)
      state.page = page
    }
  }
}
