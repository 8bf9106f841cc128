import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("What Support Technician reports") struct SupportReportTests {
  /// What a report must not have: names, IDs and words of people and of Jamf Pro.
  private static let personal = ["MAC-12", "computer/12", "u-1", "on behalf of Ann", "it is locked"]

  private static let ordersCases: [(SupportOperation.State, LogLevel, String)] = [
    (.done, .info, "done"), (.accepted, .info, "accepted"), (.failed("it is locked"), .warning, "failed"),
    (.timedOut, .warning, "timed-out"), (.uncertain("it is locked"), .warning, "uncertain"),
  ]

  @Test("the end of an order is told without a device, a person or Jamf Pro's words", arguments: ordersCases)
  func order(state: SupportOperation.State, severity: LogLevel, outcome: String) {
    let operation = SupportOperation(
      id: "u-1", order: .action(.eraseDevice), device: SupportDeviceID(.computer, "12"),
      deviceName: "MAC-12", hasTicket: true, note: "on behalf of Ann", begun: 1, state: state)
    let report = operation.report
    #expect(report.severity == severity)
    #expect(
      report.metadata == [
        "action": "eraseDevice", "outcome": outcome, "kind": "computer", "ticket": "present",
      ])
    #expect(!Self.personal.contains { "\(report)".contains($0) })
  }

  private static let rightsCases: [(TemporaryAdminRun.State, Int?, [String: String])] = [
    (.elevated(until: nil), 15, ["outcome": "Administrator", "minutes": "15"]),
    (.demoted, nil, ["outcome": "Demoted", "minutes": "none"]),
    (.failed("it is locked"), 5, ["outcome": "Failed", "minutes": "5"]),
  ]

  @Test("so is the end of a request for rights", arguments: rightsCases)
  func rights(state: TemporaryAdminRun.State, minutes: Int?, metadata: [String: String]) {
    let run = TemporaryAdminRun(
      id: "u-1", device: SupportDeviceID(.computer, "12"), deviceName: "MAC-12", minutes: minutes, group: "2",
      requested: 1, deadline: 2, cleansUpAfterTimeout: true, state: state)
    #expect(run.report.metadata == metadata)
    #expect(!Self.personal.contains { "\(run.report)".contains($0) })
  }
}
