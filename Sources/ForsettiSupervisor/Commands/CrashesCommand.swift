import ForsettiCore
import ForsettiRuntime

/// `crashes`: the reports that a supervisor left in its state. Its files are read, whether it runs or not; who may not
/// read them, or names a runtime folder, asks the supervisor that runs.
struct CrashesCommand {
  let options: CrashesOptions

  init(_ options: CrashesOptions) { self.options = options }

  func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
    let client = CrashClient(
      place: ControlPlace(state: options.state, runtimeDirectory: options.runtimeDirectory),
      surroundings: surroundings)
    guard options.runtimeDirectory == nil else { return try show(in: surroundings, by: client) }
    do throws(CommandFailure) {
      let state = try surroundings.statePlaces(state: options.state).state
      return try show(in: surroundings, by: CrashFiles(CrashReportStore(stateFolder: state)))
    } catch {
      // Where no supervisor runs either, it is the files that could not be read.
      guard error.status == .noPermission, let status = try? show(in: surroundings, by: client) else {
        throw error
      }
      return status
    }
  }

  private func show(
    in surroundings: Surroundings, by source: some CrashSource
  ) throws(CommandFailure) -> ExitStatus {
    let output = surroundings.output
    switch options.action {
    case .list:
      let list = CrashList(try source.list())
      try output.write(options.json ? list.json.line : list.text(output.style))
    case .show(let name):
      let report = try source.report(name)
      try output.write(options.json ? report.jsonValue.line : CrashReportText(report, output.style).text)
    }
    return .success
  }
}

/// Where crash reports are had from.
protocol CrashSource {
  /// All of them, newest first.
  func list() throws(CommandFailure) -> [CrashSummary]
  /// The one that a person means: by its ID, as much of its beginning as only one has, or `latest`.
  func report(_ name: String) throws(CommandFailure) -> CrashReport
}

/// Reports in a state folder.
struct CrashFiles: CrashSource, Sendable {
  private let store: CrashReportStore

  init(_ store: CrashReportStore) { self.store = store }

  func list() throws(CommandFailure) -> [CrashSummary] {
    do throws(CrashReportError) { return try store.all().map(CrashSummary.init) } catch {
      throw CommandFailure(error)
    }
  }

  func report(_ name: String) throws(CommandFailure) -> CrashReport {
    let ids: [CrashReportID]
    do throws(CrashReportError) { ids = try store.ids() } catch { throw CommandFailure(error) }
    let id = try Self.match(name, among: ids)
    do throws(CrashReportError) { return try store.read(id) } catch { throw CommandFailure(error) }
  }

  /// - Parameter ids: newest first.
  private static func match(
    _ name: String, among ids: [CrashReportID]
  ) throws(CommandFailure) -> CrashReportID {
    let found = name == "latest" ? Array(ids.prefix(1)) : ids.filter { $0.text.hasPrefix(name) }
    if let id = found.first, found.count == 1, !name.isEmpty { return id }
    let hint = "`crashes list` names those that are kept"
    if found.count > 1 {
      throw CommandFailure(
        status: .usage,
        message: "\(name.quoted()) is the beginning of \(counted(found.count, "report")); \(hint)")
    }
    throw CommandFailure(
      status: .noInput,
      message: name == "latest" ? "there is no crash report" : "no crash report \(name.quoted()); \(hint)")
  }
}

/// Reports of the supervisor that runs.
struct CrashClient: CrashSource {
  let place: ControlPlace
  let surroundings: Surroundings

  func list() throws(CommandFailure) -> [CrashSummary] {
    var client = try place.connect(in: surroundings)
    var list: [CrashSummary] = []
    _ = try client.call(
      ControlOperations.crashes, item: { (summary) throws(CommandFailure) in list.append(summary) })
    return list
  }

  func report(_ name: String) throws(CommandFailure) -> CrashReport {
    var client = try place.connect(in: surroundings)
    let answer = try client.call(ControlOperations.crash, CrashRequest(name)) ?? CrashAnswer()
    do throws(JSONFault) { return try CrashReport(JSONWriter.bytes(answer.report)) } catch {
      throw CommandFailure(
        status: .software, message: "the supervisor's answer is no crash report: \(error.reason)")
    }
  }
}
