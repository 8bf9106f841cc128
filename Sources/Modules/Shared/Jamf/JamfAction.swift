internal import ForsettiModuleKit

/// The kinds of device that Jamf Pro keeps apart, with privileges of their own.
enum JamfAsset: String, Sendable, Hashable, CaseIterable {
  case computer, mobileDevice
}

/// Something that people do in a module, and the calls that it takes.
struct JamfAction: Sendable, Hashable {
  /// Of the module's name and its own, such as `prestage-director.move`.
  let id: String
  /// For people.
  let title: String
  /// All of them are taken.
  let steps: [JamfStep]

  /// The kinds of device that it is for.
  var assets: Set<JamfAsset> { steps.reduce(into: []) { $0.formUnion($1.assets) } }
}

/// One step of an action.
struct JamfStep: Sendable, Hashable {
  /// For people.
  let title: String
  /// Any one of them does it: the first that the server has, and the account may.
  let endpoints: [JamfEndpoint]
  /// The kinds of device of which the step is taken.
  let assets: Set<JamfAsset>
  /// Whether the action is done without it too, and shows less.
  let isOptional: Bool

  init(
    _ title: String, _ endpoints: [JamfEndpoint], of assets: Set<JamfAsset> = Set(JamfAsset.allCases),
    isOptional: Bool = false
  ) {
    self.title = title
    self.endpoints = endpoints
    self.assets = assets
    self.isOptional = isOptional
  }
}

/// All that a module asks of Jamf Pro. Each module has its own, in its folder.
struct JamfActionTable: Sendable {
  let moduleID: String
  /// The module's, for people.
  let moduleName: String
  let actions: [JamfAction]

  /// The table of a module.
  init(_ manifest: ModuleManifest, _ actions: [JamfAction]) {
    moduleID = manifest.moduleID
    moduleName = manifest.displayName
    self.actions = actions
  }

  /// Whether some action makes this request.
  func covers(method: String, path: String) -> Bool {
    actions.contains { action in
      action.steps.contains { $0.endpoints.contains { $0.covers(method: method, path: path) } }
    }
  }
}
