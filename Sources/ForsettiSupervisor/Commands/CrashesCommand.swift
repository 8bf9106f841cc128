import ForsettiCore
import ForsettiRuntime

/// `crashes`: the reports that a supervisor left in its state, whether it runs or not.
struct CrashesCommand {
  let options: CrashesOptions

  init(_ options: CrashesOptions) { self.options = options }

  func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
    let store = CrashReportStore(stateFolder: try surroundings.statePlaces(state: options.state).state)
    let output = surroundings.output
    switch options.action {
    case .list:
      let list = try Self.reading { () throws(CrashReportError) in CrashList(try store.all()) }
      try output.write(options.json ? list.json.line : list.text(output.style))
    case .show(let name):
      let ids = try Self.reading(store.ids)
      let id = try Self.match(name, among: ids)
      let report = try Self.reading { () throws(CrashReportError) in try store.read(id) }
      try output.write(options.json ? report.jsonValue.line : CrashReportText(report, output.style).text)
    }
    return .success
  }

  private static func reading<Value>(
    _ read: () throws(CrashReportError) -> Value
  ) throws(CommandFailure) -> Value {
    do throws(CrashReportError) { return try read() } catch { throw CommandFailure(error) }
  }

  /// The report that a person means.
  /// - Parameter ids: newest first.
  static func match(_ name: String, among ids: [CrashReportID]) throws(CommandFailure) -> CrashReportID {
    let found = name == "latest" ? Array(ids.prefix(1)) : ids.filter { $0.text.hasPrefix(name) }
    guard let id = found.first, found.count == 1, !name.isEmpty else {
      let hint = "`crashes list` names those that are kept"
      throw found.count > 1
        ? CommandFailure(
          status: .usage,
          message: "\(name.quoted()) is the beginning of \(counted(found.count, "report")); \(hint)")
        : CommandFailure(
          status: .noInput,
          message: name == "latest" ? "there is no crash report" : "no crash report \(name.quoted()); \(hint)"
        )
    }
    return id
  }
}
