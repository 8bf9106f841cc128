internal import ForsettiModuleKit

/// Where what can be set is set: this module keeps no secret and asks for none.
enum SettingsView {
  static func node(_ state: RetailState) -> ViewNode {
    .list([
      .text("Settings", style: .title),
      .text("Jamf Pro", style: .heading),
      .keyValues(ConnectionView.pairs(state.connection)),
      .text("The server and its credentials are entered on the host's own form, never in a module's view:"),
      .list(
        [
          .text("in the console, under Secrets;"),
          .text("or in a terminal: forsetti-supervisor secret set jamf-credentials"),
        ], style: .bullets),
      .text("They are tried before they are kept, and are shown to nobody afterwards.", style: .caption),
      .text("Modules", style: .heading),
      .text(
        "What each module may do is the policy's word. forsetti-supervisor explain MODULE tells why, and a module's page in the console shows it."
      ),
    ])
  }
}
