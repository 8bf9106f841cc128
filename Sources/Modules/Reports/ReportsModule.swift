/// Builds reports on the fleet, keeps their definitions and exports them. The fleet is read when somebody asks for it.
public final class ForsettiReportsModule: ViewDeskModule {
  /// Makes the module, not started.
  public init() {
    super.init(ReportsManifest.manifest, viewID: ReportsView.viewID) { ReportsDesk(context: $0) }
  }
}
