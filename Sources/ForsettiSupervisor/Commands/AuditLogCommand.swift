import ForsettiCore
import ForsettiRuntime

/// What `audit` was told.
struct AuditLogOptions: Equatable {
  var state: String?
  var json = false
}

/// `audit verify`: follows the chain of the audit log from its first line to its last. The files are read, whether a
/// supervisor runs or not.
struct AuditLogCommand {
  let options: AuditLogOptions

  init(_ options: AuditLogOptions) { self.options = options }

  func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
    let state = try surroundings.statePlaces(state: options.state).state
    let found: AuditVerdict?
    do throws(TrustedFileError) { found = try AuditVerdict.read(stateFolder: state) } catch {
      throw CommandFailure(
        status: CommandFailure.status(of: error, missing: .ioError),
        message: "the audit log is not read: \(error)")
    }
    guard let found else {
      throw CommandFailure(
        status: .noInput, message: "there is no audit log in \(state); a supervisor begins one when it starts"
      )
    }
    let output = surroundings.output
    try output.write(
      options.json ? AuditLogReport(found).json.line : AuditLogReport(found).text(output.style))
    return found.firstBreak == nil ? .success : .dataError
  }
}

/// What `audit verify` says.
struct AuditLogReport {
  let verdict: AuditVerdict

  init(_ verdict: AuditVerdict) { self.verdict = verdict }

  func text(_ style: TextStyle) -> String {
    let lines = "\(counted(verdict.lines, "line")) in \(counted(verdict.files, "file"))"
    if let found = verdict.firstBreak {
      return
        "\(style.fail) the chain breaks at \(escaped(found.path)):\(found.line): \(escaped(found.reason))\n"
        + "  \(lines) before it follow one another; what comes after was not looked at\n"
    }
    let begin = verdict.first > 1 ? ", from number \(verdict.first) on: older files were rotated away" : ""
    return "\(style.pass) \(lines) follow one another\(begin)\n  the last one is number \(verdict.last), "
      + "\(verdict.hash)\n"
  }

  var json: JSONValue {
    .record([
      "intact": .bool(verdict.firstBreak == nil), "files": .integer(verdict.files),
      "lines": .integer(verdict.lines), "first": .integer(verdict.first), "last": .integer(verdict.last),
      "hash": .string(verdict.hash),
      "break": verdict.firstBreak.map {
        JSONValue.record(["path": .string($0.path), "line": .integer($0.line), "reason": .string($0.reason)])
      } ?? .null,
    ])
  }
}
