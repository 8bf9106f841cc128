/// Every operation of the control socket. A test holds docs/control.md to this list.
enum ControlOperations {
  static let all: [ControlEntry] = [
    health.entry, status.entry, overview.entry, surface.entry, logs.entry, metrics.entry, figures.entry,
    live.entry, events.entry, entitlements.entry, render.entry, module.entry, explain.entry, crashes.entry,
    crash.entry,
    activate.entry, deactivate.entry, restart.entry, reset.entry, selectUI.entry, reload.entry, call.entry,
    publish.entry, accept.entry, secrets.entry, setSecret.entry, console.entry, retry.entry, shutdown.entry,
  ]

  /// By name; names are unique.
  static let byName: [String: ControlEntry] = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
}
