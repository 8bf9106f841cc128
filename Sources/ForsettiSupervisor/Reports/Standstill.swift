import ForsettiCore
import ForsettiRuntime

/// Why a module does not run, and what a person can do about it.
struct Standstill: Equatable {
  var fault: String
  var wayOut: String

  init(fault: String, wayOut: String) {
    self.fault = fault
    self.wayOut = wayOut
  }

  /// `nil` for a module that runs.
  /// - Parameters:
  ///   - type: of its manifest; of UI and app modules one alone runs.
  ///   - isDesired: whether it is meant to run.
  ///   - hasRun: whether it was ever active, so that there is a record of its registration.
  ///   - gates: those of an activation, as far as they can be judged without one.
  init?(
    _ status: ModuleStatus, type: ModuleType, isDesired: Bool, hasRun: Bool, gates: [ExplainReport.Gate]
  ) {
    if status.state == .active { return nil }
    if let failure = status.failure {
      self.init(fault: failure.fault, wayOut: failure.wayOut)
    } else if isDesired {
      self.init(fault: "its activation is under way", wayOut: "look again in a moment")
    } else if let gate = gates.first(where: { $0.outcome == .failed }) {
      self.init(
        fault: "it was not started, and could not be now: \(gate.name): \(gate.reason)",
        wayOut: "mend that, then activate it")
    } else if type != .service {
      self.init(
        fault: "of UI and app modules one alone runs, and it is not this one",
        wayOut: "activate and select it")
    } else {
      self.init(
        fault: hasRun
          ? "somebody stopped it" : "it came after the first boot, and nobody has activated it yet",
        wayOut: "activate it")
    }
  }
}
