internal import ForsettiModuleKit

/// Why something was not done.
enum DeploymentRefusal: Error, Sendable, Hashable {
  case unknownDevice(String)
  case unknownStatus(String)
  case unknownField(String)
  case unknownProject(String)
  case unknownException(String)
  case unknownLayout(String)
  case unknownScenario(String)
  case unknownAction(String)
  case noTransition(from: DeploymentStatus, to: DeploymentStatus)
  case reasonMissing(to: DeploymentStatus)
  case gateBlocked(DeploymentGate, String)
  case notEditable(DeploymentField)
  case unfitValue(DeploymentField)
  case unfitName(limit: Int)
  case noColumns
  case tooManyLayouts
  case builtInLayout(String)
  case archived(String)
  case settled(String)
  case nothingToDo(String)
  case notConfirmed
  case faultyFile(String, more: Int)
  case noFiles
  case noDigests
  case scannerMissing
  /// A call that would leave the machine. The demo makes none, ever.
  case liveActionBlocked(DeploymentLiveAction)
  case journalFull
  case journalUnreadable

  /// What happened.
  var what: String {
    switch self {
    case .unknownDevice(let serial): "There is no device \(serial.quoted())."
    case .unknownStatus(let name): "There is no status \(name.quoted())."
    case .unknownField(let name): "There is no column \(name.quoted())."
    case .unknownProject(let name): "There is no project \(name.quoted())."
    case .unknownException(let id): "There is no exception \(id.quoted())."
    case .unknownLayout(let name): "There is no layout \(name.quoted())."
    case .unknownScenario(let id): "There is no scenario \(id.quoted())."
    case .unknownAction(let name): "There is no action \(name.quoted())."
    case .noTransition(let from, let to): "No step leads from \(from.title) to \(to.title)."
    case .reasonMissing(let to): "\(to.title) wants a reason."
    case .gateBlocked(let gate, let why): "The gate \(gate.rawValue) is closed. \(why)"
    case .notEditable(let field): "\(field.title) is what the workflow finds; nobody types it."
    case .unfitValue(let field):
      "\(field.title) may have \(DeploymentRules.valueLimit) bytes at most, on one line."
    case .unfitName(let limit): "A name has 1 to \(limit) bytes."
    case .noColumns: "A layout needs a column."
    case .tooManyLayouts: "There are \(DeploymentLayout.limit) layouts of your own already."
    case .builtInLayout(let name): "The layout \(name.quoted()) comes with the demo, and stays."
    case .archived(let serial): "\(serial) is archived."
    case .settled(let id): "\(id) is settled already."
    case .nothingToDo(let what): what
    case .faultyFile(let fault, let more):
      "The file was not written. \(fault)" + (more > 0 ? " There are \(more) more faults." : "")
    case .noFiles: "The policy lets this module write no files."
    case .noDigests: "The policy lets this module have no hashes, and without them no package can be checked."
    case .scannerMissing: "The scanner service can't be asked."
    case .notConfirmed: TypedConfirmation.advice
    case .liveActionBlocked(let action):
      "\(action.title) would reach \(action.system), and this is a demo: nothing was sent."
    case .journalFull: "The demo's journal is full."
    case .journalUnreadable: "What was kept can't be read, so nothing is written over it."
    }
  }

  /// What to do about it.
  var advice: String {
    switch self {
    case .unknownDevice: "Look for it in the grid; a scan must be of a serial number."
    case .unknownStatus, .noTransition: "Choose one of the steps that the device's page offers."
    case .unknownField, .noColumns:
      "Known columns: \(DeploymentField.allCases.map(\.title).joined(separator: ", "))."
    case .unknownProject, .unknownException, .unknownLayout, .unknownScenario, .unknownAction:
      "Choose one from its list."
    case .reasonMissing: "Say why, in a few words."
    case .gateBlocked: "Mend what it says, then take the step again."
    case .notEditable: "Take the step that finds it."
    case .unfitValue, .unfitName: "Make it shorter."
    case .tooManyLayouts: "Remove one first."
    case .builtInLayout: "Save it under a name of your own."
    case .archived: "Restore it first."
    case .settled: "Nothing is left to do."
    case .nothingToDo: "Bring devices there by the workflow first."
    case .notConfirmed: "Nothing is lost; type the word and press again."
    case .faultyFile: "Mend the devices, then export again."
    case .noFiles: "Grant it file_export in the policy."
    case .noDigests: "Grant it crypto_utilities in the policy."
    case .scannerMissing: "Look for the device by a filter of the grid."
    case .liveActionBlocked: "Use the simulated action beside it; it changes the demo's data alone."
    case .journalFull, .journalUnreadable: "Reset the demo's data."
    }
  }
}
