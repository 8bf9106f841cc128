import ForsettiCore
import ForsettiRuntime

/// Where a command finds manifests, and how it reads them.
struct ManifestInput: Sendable {
  /// The folder as the person named it, or the installation's.
  var path: String
  /// Recursive, passing over other JSON.
  var isDiscovery: Bool

  /// The options' folder, else the installation's.
  init(_ inputs: Inputs, installation: Installation) {
    isDiscovery = inputs.discover != nil
    path = inputs.discover ?? inputs.manifests ?? installation.manifests
  }

  /// Reads them all; every bad file is in the error.
  func load() throws(ManifestLoaderError) -> ForsettiModuleCatalog {
    let loader = ManifestLoader()
    return isDiscovery ? try loader.discover(folder: path) : try loader.load(folder: path)
  }
}
