import ForsettiCore
import ForsettiRuntime
import Testing

@testable import ForsettiSupervisor

/// Why a module does not run, by what is known of it.
@Suite struct StandstillTests {
  private static let passed = ExplainReport.Gate(name: "manifest", outcome: .passed, reason: "valid")
  private static let failed = ExplainReport.Gate(name: "entitlement", outcome: .failed, reason: "p is locked")

  private static func standstill(
    _ state: ModuleStatus.State, _ failure: ModuleManagerError? = nil, type: ModuleType = .service,
    isDesired: Bool = false, hasRun: Bool = false, gates: [ExplainReport.Gate] = [passed]
  ) -> Standstill? {
    Standstill(
      ModuleStatus(moduleID: "a.b", state: state, failure: failure), type: type, isDesired: isDesired,
      hasRun: hasRun, gates: gates)
  }

  @Test("a module that runs stands nowhere") func active() {
    #expect(Self.standstill(.active, isDesired: true, hasRun: true) == nil)
  }

  @Test(
    "a failure tells why in its own words, whatever else is so",
    arguments: [
      (.quarantined, .quarantined(moduleID: "a.b", cause: .violation)),
      (.failed, .moduleLocked(moduleID: "a.b", productID: "p")),
      (.restarting, .waitingForModule(moduleID: "a.b", other: "c.d")),
    ] as [(ModuleStatus.State, ModuleManagerError)])
  func failure(state: ModuleStatus.State, failure: ModuleManagerError) {
    let standstill = Self.standstill(state, failure, isDesired: true, hasRun: true, gates: [Self.failed])
    #expect(standstill == Standstill(fault: failure.fault, wayOut: failure.wayOut))
  }

  @Test(
    "without one the first thing in the way is told, then who let it be",
    arguments: [
      (ModuleType.service, true, false, [passed], "under way"),
      (.service, false, true, [passed, failed], "entitlement: p is locked"),
      (.service, false, true, [passed], "somebody stopped it"),
      (.service, false, false, [passed], "nobody has activated it yet"),
      (.ui, false, true, [passed], "one alone runs"), (.app, false, false, [], "one alone runs"),
    ] as [(ModuleType, Bool, Bool, [ExplainReport.Gate], String)])
  func idle(
    type: ModuleType, isDesired: Bool, hasRun: Bool, gates: [ExplainReport.Gate], words: String
  ) throws {
    let standstill = try #require(
      Self.standstill(.discovered, type: type, isDesired: isDesired, hasRun: hasRun, gates: gates))
    #expect(standstill.fault.contains(words) && !standstill.wayOut.isEmpty, "\(standstill)")
  }
}
