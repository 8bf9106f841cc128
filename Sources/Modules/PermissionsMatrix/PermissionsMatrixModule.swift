/// Shows which privileges each action of the modules needs, and which the account has. It asks Jamf Pro for nothing before
/// somebody does.
public final class ForsettiPermissionsMatrixModule: ViewDeskModule {
  /// Makes the module, not started.
  public init() {
    super.init(PermissionsMatrixManifest.manifest, viewID: PermissionsView.viewID) {
      PermissionsDesk(context: $0)
    }
  }
}
