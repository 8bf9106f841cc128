import ForsettiCore
import ForsettiRuntime

/// Where a command finds manifests.
struct ManifestInput: Sendable {
  /// The folder as the person named it, or the installation's.
  var path: String
  /// How it is read.
  var source: RuntimeConfiguration.ManifestSource

  /// The options' folder, else the installation's.
  init(_ inputs: Inputs, installation: Installation) {
    path = inputs.discover ?? inputs.manifests ?? installation.manifests
    source = inputs.discover == nil ? .folder(path) : .discovery(path)
  }
}

extension ManifestInput {
  /// The manifests and bundles, for a command that cannot do without.
  func require(with bundles: BundleFolder) throws(CommandFailure) -> ForsettiModuleCatalog {
    do { return try source.load().adding(bundles.load()) } catch { throw CommandFailure(error) }
  }
}

extension ForsettiModuleCatalog {
  /// The module of this ID, or an error that names the nearest one.
  func require(_ moduleID: String) throws(CommandFailure) -> LoadedManifest {
    if let module = self[moduleID] { return module }
    if let refusal = refusal(of: moduleID) {
      throw CommandFailure(status: .dataError, message: refusal.description)
    }
    let hint = NearestName.hint(for: moduleID, among: manifests.map(\.manifest.moduleID))
    throw CommandFailure(
      status: .dataError,
      message:
        "no manifest has the module ID \(moduleID.quoted())\(hint.isEmpty ? "; check lists what is wrong with manifests" : hint)"
    )
  }
}
