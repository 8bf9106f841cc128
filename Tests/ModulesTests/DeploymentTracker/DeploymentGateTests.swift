import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("The gates of the deployment tracker") struct DeploymentGateTests {
  /// What becomes of a verdict, without its words.
  enum Kind { case pass, notApplicable, warning, blocked }

  struct Case: Sendable, CustomTestStringConvertible {
    var gate: DeploymentGate
    var kind: Kind
    var rules: Set<DeploymentProject.Rule> = []
    var exceptions: [DeploymentException] = []
    var inProject = true
    var change: @Sendable (inout DeploymentDevice) -> Void = { _ in }

    var testDescription: String { "\(gate.rawValue), \(rules.map(\.rawValue).sorted()): \(kind)" }
  }

  private static let cases: [Case] = [
    Case(gate: .open, kind: .pass), Case(gate: .records, kind: .pass), Case(gate: .catalog, kind: .pass),
    Case(gate: .catalog, kind: .blocked) { $0.details[.model] = nil },
    Case(gate: .businessReadiness, kind: .notApplicable) { $0.details[.partNumber] = nil },
    Case(gate: .businessReadiness, kind: .blocked, rules: [.businessCheck]) { $0.details[.partNumber] = nil },
    Case(gate: .business, kind: .notApplicable) { $0.business = .missing },
    Case(gate: .business, kind: .pass, rules: [.businessCheck]) { $0.business = .expected },
    Case(gate: .business, kind: .pass, rules: [.businessCheck]) { $0.business = .found },
    Case(gate: .business, kind: .blocked, rules: [.businessCheck, .expectedServer]) { $0.business = .found },
    Case(gate: .business, kind: .warning, rules: [.businessCheck]) { $0.business = .stale },
    Case(gate: .business, kind: .warning, rules: [.businessCheck]) { $0.business = .lookupFailed },
    Case(gate: .business, kind: .blocked, rules: [.businessCheck]) { $0.business = .missing },
    Case(gate: .business, kind: .blocked, rules: [.businessCheck]) { $0.business = .unchecked },
    Case(gate: .project, kind: .pass), Case(gate: .project, kind: .blocked, inProject: false),
    Case(gate: .configuration, kind: .pass),
    Case(gate: .configuration, kind: .warning) { $0.details[.profile] = nil },
    Case(gate: .quality, kind: .notApplicable, exceptions: [DeploymentTestData.exception(.blocking)]),
    Case(
      gate: .quality, kind: .blocked, rules: [.quality],
      exceptions: [DeploymentTestData.exception(.blocking)]),
    Case(
      gate: .quality, kind: .blocked, rules: [.quality],
      exceptions: [DeploymentTestData.exception(.critical, .acknowledged)]),
    Case(
      gate: .quality, kind: .pass, rules: [.quality], exceptions: [DeploymentTestData.exception(.warning)]),
    Case(
      gate: .quality, kind: .pass, rules: [.quality],
      exceptions: [DeploymentTestData.exception(.blocking, .waived)]),
    Case(gate: .preloadReadiness, kind: .notApplicable),
    Case(gate: .preloadReadiness, kind: .pass, inProject: false),
    Case(gate: .preloadSubmission, kind: .blocked, rules: [.preload]) { $0.preload = .none },
    Case(gate: .preloadSubmission, kind: .blocked, inProject: false) { $0.preload = .none },
    Case(gate: .preloadSubmission, kind: .pass, rules: [.preload]) { $0.preload = .submitted },
    Case(gate: .reconciliation, kind: .blocked, rules: [.reconciliation]) { $0.preload = .submitted },
    Case(gate: .reconciliation, kind: .notApplicable, rules: [.preload]) { $0.preload = .submitted },
    Case(gate: .reconciliation, kind: .pass, rules: [.reconciliation]),
    // The step to the service desk needs no export: only the export itself does.
    Case(gate: .serviceDeskReadiness, kind: .pass, rules: [.serviceDesk]) { $0.serviceDesk = .none },
    Case(gate: .serviceDeskReadiness, kind: .blocked, rules: [.serviceDesk]) { $0.details[.assetTag] = nil },
    Case(gate: .serviceDeskExport, kind: .blocked, rules: [.serviceDesk]) { $0.serviceDesk = .none },
    Case(gate: .serviceDeskExport, kind: .notApplicable) { $0.serviceDesk = .none },
    Case(gate: .shipping, kind: .blocked, rules: [.shipping]) { $0.details[.tracking] = nil },
    Case(gate: .shipping, kind: .notApplicable) { $0.details[.tracking] = nil },
    Case(gate: .delivery, kind: .blocked, rules: [.delivery]) { $0.details[.delivery] = nil },
    Case(gate: .delivery, kind: .pass, rules: [.delivery]),
    Case(gate: .completion, kind: .pass),
    Case(gate: .completion, kind: .blocked, exceptions: [DeploymentTestData.exception(.critical)]),
    Case(gate: .completion, kind: .blocked, rules: [.review]),
    Case(gate: .completion, kind: .warning, rules: [.review, .completionWithWarnings]),
    Case(gate: .exceptionsSettled, kind: .blocked, exceptions: [DeploymentTestData.exception(.blocking)]),
    Case(gate: .exceptionsSettled, kind: .pass),
  ]

  @Test("judge what the device's project asks for and nothing else", arguments: cases)
  func judged(sample: Case) {
    var device = DeploymentTestData.device(.received)
    sample.change(&device)
    let project = DeploymentProject(id: "P", name: "Project", rules: sample.rules)
    let verdict = sample.gate.judge(
      device, project: sample.inProject ? project : nil, exceptions: sample.exceptions)
    let kind: Kind =
      switch verdict {
      case .pass: .pass
      case .notApplicable: .notApplicable
      case .warning: .warning
      case .blocked: .blocked
      }
    #expect(kind == sample.kind)
    #expect(verdict.allows == (kind != .blocked))
  }

  @Test("are all tried") func complete() {
    #expect(Set(Self.cases.map(\.gate)) == Set(DeploymentGate.allCases))
  }
}
