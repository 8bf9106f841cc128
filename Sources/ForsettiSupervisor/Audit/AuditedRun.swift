import ForsettiCore
import ForsettiRuntime
import ForsettiSandbox

/// What `run --audit` adds to a run: the audit, and its report whenever there is something new to say.
@ReactorActor final class AuditedRun {
  let audit: ModuleAudit
  private let policyText: [UInt8]
  private let policyPath: String
  private let isJSON: Bool
  private var told: AuditRecords?

  /// Makes the audit of a run.
  /// - Parameters:
  ///   - policyText: the policy's file as it was read.
  ///   - policyPath: as it was given.
  init(_ audit: ModuleAudit, policyText: [UInt8], policyPath: String, json: Bool) {
    self.audit = audit
    self.policyText = policyText
    self.policyPath = policyPath
    isJSON = json
  }

  /// The report, in full; `nil` where nothing came since it was last told, or no boot has allowed the audit.
  func news(for output: OutputStream) throws(CommandFailure) -> String? {
    guard let subject = audit.subject, told != audit.records else { return nil }
    told = audit.records
    let report: AuditReport
    do throws(PolicyFaults) {
      report = try AuditReport(
        of: audit.records, subject, policyText: policyText, policyPath: policyPath)
    } catch { throw CommandFailure(error, path: policyPath) }
    return isJSON ? report.json.line : report.text(output.style, onTerminal: output.isTerminal)
  }
}
