internal import ForsettiModuleKit

/// What operators do here, and what they see of it.
@MainActor
final class PermissionsDesk: ViewDesk {
  private(set) var state = PermissionsState()
  private let context: ForsettiContext
  private let desk: ModuleDesk
  private var task: Task<Void, Never>?

  init(context: ForsettiContext) {
    self.context = context
    desk = ModuleDesk(context: context)
  }

  func open() async throws {
    try await desk.on("check") { [weak self] _ in await self?.check() }
    try await desk.on("cancel") { [weak self] _ in self?.task?.cancel() }
    try await desk.on("list") { [weak self] payload in
      self?.update { $0.listing = payload["what"].flatMap(PermissionsState.Listing.init) ?? $0.listing }
    }
    try await desk.on("filter") { [weak self] payload in
      self?.update { $0.filter = PermissionFilter(form: payload) }
    }
    try await desk.on("select") { [weak self] payload in self?.update { $0.selected = payload["id"] } }
    try await desk.on("export") { [weak self] in await self?.export($0["format"] ?? "") }
  }

  func close() {
    task?.cancel()
    desk.close()
  }

  func draw() -> ViewNode { PermissionsView(state: state, type: desk.type).tree }

  private func update(_ change: (inout PermissionsState) -> Void) {
    change(&state)
    desk.changed()
  }

  // MARK: - The live check

  private func check() async {
    guard state.check != .underWay else { return }
    update { $0.check = .underWay }
    let task = Task { @MainActor [weak self] in await self?.ask() ?? () }
    self.task = task
    await task.value
    self.task = nil
  }

  private func ask() async {
    guard context.grantedCapabilities.contains(.api) else {
      return update {
        $0.check = .failed(
          what: "This host lets the module ask Jamf Pro nothing.",
          advice: "The matrix holds without it; grant api in the policy to compare it with an account.")
      }
    }
    let jamf = JamfClient(context: context)
    do throws(JamfFailure) {
      guard let held = TokenPrivileges.names(try await jamf.get(PermissionsEndpoints.held)) else {
        throw .unreadable("the account has no list of privileges.")
      }
      let (catalogue, note) = await known(jamf)
      update { $0.check = .done(TokenPrivileges(held: held, catalogue: catalogue), catalogueNote: note) }
    } catch {
      update { $0.check = .failed(what: error.what, advice: error.advice) }
      await report(error)
    }
  }

  /// What the server knows of. The comparison goes on without it.
  private func known(_ jamf: JamfClient) async -> (Set<String>?, String?) {
    do throws(JamfFailure) {
      guard
        let catalogue = TokenPrivileges.names(try await jamf.get(PermissionsEndpoints.catalogue.path()))
      else {
        return (nil, "What this server knows of can't be read.")
      }
      return (catalogue, nil)
    } catch {
      if case .forbidden = error {
        return (nil, "What this server knows of was not compared: the account lacks “Read API Roles”.")
      }
      return (nil, "What this server knows of was not compared: \(error.what)")
    }
  }

  private func report(_ failure: JamfFailure) async {
    let report = DiagnosticReport(
      category: "permissions", severity: .warning,
      message: "The account could not be compared: \(failure.what)")
    do { try await context.services.diagnostics?.emit(report) } catch {
      context.logger.warning("a failed check could not be reported", error: error)
    }
  }

  // MARK: - Export

  private func export(_ name: String) async {
    guard let format = PermissionsExport.Format(rawValue: name) else { return }
    let export = PermissionsExport(
      rows: state.filter.rows(held: state.held), assets: state.filter.assets, held: state.held)
    do throws(ServiceError) {
      let paths = try await DocumentExport(context: context).write(
        export.documents(format), prefix: "permissions", at: WallClock.now(), fileExtension: format.rawValue)
      let names = paths.map { $0.plain() }.joined(separator: ", ")
      update { $0.note = "Wrote \(export.rows.count) actions to \(names)." }
    } catch { update { $0.note = "No file was written: \(error). \(error.advice)" } }
  }
}

extension PermissionFilter {
  /// What the form of the view says.
  init(form: [String: String]) {
    text = String((form["text"] ?? "").trimmedScalars.unicodeScalars.prefix(Self.textLimit))
    moduleName = form["module"].flatMap { name in
      PermissionMatrix.tables.map(\.moduleName).first { $0.hasSameScalars(as: name) }
    }
    assets = AssetChoice(rawValue: form["assets"] ?? "")?.assets ?? assets
    onlyMissing = form["missing"] == "true"
  }
}

/// The kinds of device as a choice of the form.
enum AssetChoice: String, CaseIterable, Sendable {
  case both = "Both kinds"
  case computers = "Computers"
  case mobileDevices = "Mobile devices"

  var assets: Set<JamfAsset> {
    switch self {
    case .both: Set(JamfAsset.allCases)
    case .computers: [.computer]
    case .mobileDevices: [.mobileDevice]
    }
  }

  init(_ assets: Set<JamfAsset>) {
    self = Self.allCases.first { $0.assets == assets } ?? .both
  }
}
