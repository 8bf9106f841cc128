internal import ForsettiModuleKit

/// What the tracker's buttons and forms ask.
enum DeploymentVerb: String, CaseIterable, Sendable {
  case open, device, scan
  case filter, sort, layout, page
  case clearFilters = "clear-filters"
  case move, edit, archive, restore, settle, simulate, live
  case preview
  case exportPreload = "export-preload"
  case exportServiceDesk = "export-service-desk"
  case exportRecords = "export-records"
  case saveLayout = "save-layout"
  case removeLayout = "remove-layout"
  case findPreload = "find-preload"
  case guide
  case startScenario = "start-scenario"
  case nextStep = "next-step"
  case reset

  private var type: String {
    ModuleDesk.type(rawValue, of: DeploymentTrackerManifest.manifest.moduleID)
  }

  /// A button that asks it.
  func button(_ title: String, _ payload: [String: String] = [:]) -> ViewNode {
    .button(title: title, action: .publishEvent(eventType: type, payload: payload))
  }

  /// A form that asks it with its fields.
  func form(_ fields: [ViewField], submit: String) -> ViewNode {
    .form(ViewForm(fields: fields, submitTitle: submit, eventType: type))
  }
}
