extension DeploymentRefusal {
  /// A short word for programs.
  var code: String {
    switch self {
    case .unknownDevice: "unknown_device"
    case .unknownStatus: "unknown_status"
    case .unknownField: "unknown_field"
    case .unknownProject: "unknown_project"
    case .unknownException: "unknown_exception"
    case .unknownLayout: "unknown_layout"
    case .unknownScenario: "unknown_scenario"
    case .unknownAction: "unknown_action"
    case .noTransition: "no_transition"
    case .reasonMissing: "reason_missing"
    case .gateBlocked(let gate, _): "gate_" + gate.rawValue
    case .notEditable: "not_editable"
    case .unfitValue: "unfit_value"
    case .unfitName: "unfit_name"
    case .noColumns: "no_columns"
    case .tooManyLayouts: "too_many_layouts"
    case .builtInLayout: "built_in_layout"
    case .archived: "archived"
    case .settled: "settled"
    case .nothingToDo: "nothing_to_do"
    case .notConfirmed: "not_confirmed"
    case .faultyFile: "faulty_file"
    case .noFiles: "no_files"
    case .noDigests: "no_digests"
    case .scannerMissing: "scanner_missing"
    case .liveActionBlocked: "live_action_blocked"
    case .journalFull: "journal_full"
    case .journalUnreadable: "journal_unreadable"
    }
  }
}
