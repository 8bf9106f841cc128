internal import ForsettiModuleKit

/// What the tracker shows; all operators see the same.
struct DeploymentScreen: Sendable, Hashable {
  /// What came of the last thing that was asked.
  struct Notice: Sendable, Hashable {
    var tone: ViewTone
    var text: String
    /// What to do, where something went wrong.
    var advice = ""
  }

  var workspace = DeploymentWorkspace.dashboard
  var grid = DeploymentGrid()
  /// The serial number of the device whose page is shown.
  var selected: String?
  var preview: ImportPreview?
  var notice: Notice?
  var guideQuery = ""
  /// The serial number whose preload record is looked for; blank for all.
  var preloadSerial = ""
  var run: DeploymentScenarioRun?
  /// What is wrong with what was kept.
  var fault: String?
}

extension DeploymentScreen.Notice {
  /// What was refused, and what to do.
  init(_ refusal: DeploymentRefusal) {
    self.init(tone: .warning, text: refusal.what, advice: refusal.advice)
  }
}
