/// Looks up a device, runs the support actions on it, and follows each to its end. Orders go on in Jamf without it, and its
/// journal has them.
public final class ForsettiSupportTechnicianModule: ViewDeskModule {
  /// Makes the module, not started.
  public init() {
    super.init(SupportTechnicianManifest.manifest, viewID: SupportView.viewID) { SupportDesk(context: $0) }
  }
}
