/// Shows the PreStages of mobile devices, and moves devices between them. A job under way goes on past its end, from the
/// journal.
public final class ForsettiPrestageDirectorModule: ViewDeskModule {
  /// Makes the module, not started.
  public init() {
    super.init(PrestageDirectorManifest.manifest, viewID: PrestageView.viewID) { PrestageDesk(context: $0) }
  }
}
