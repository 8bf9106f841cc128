internal import ForsettiModuleKit

// What changes the view alone.
extension DeploymentDesk {
  func show(_ workspace: String) {
    screen.workspace = DeploymentWorkspace(rawValue: workspace) ?? .dashboard
    screen.selected = nil
  }

  /// Opens a device's page.
  func select(_ serial: String) {
    screen.workspace = .devices
    screen.selected = serial
  }

  func filter(_ fields: Fields) throws(DeploymentRefusal) {
    screen.grid.add(try DeploymentGrid.Filter(field: fields["field"], text: fields["text"]))
    show(DeploymentWorkspace.devices.rawValue)
  }

  func sort(_ fields: Fields) throws(DeploymentRefusal) {
    guard let field = DeploymentField(named: fields["field"]) else { throw .unknownField(fields["field"]) }
    screen.grid.sort = field
    screen.grid.isDescending = fields["descending"] == "true"
  }

  func choose(layout name: String) throws(DeploymentRefusal) {
    guard let layout = store.state.layouts.first(where: { $0.name == name }) else {
      throw .unknownLayout(name)
    }
    screen.grid.layout = layout
  }

  func turn(to page: String) {
    let rows = screen.grid.rows(of: store.state.sortedDevices)
    screen.grid.show(page: Int(page) ?? 0, of: rows.count)
  }

  func preview(_ fields: Fields) {
    let format = ImportPreview.Format(rawValue: fields["format"]) ?? .csv
    screen.preview = ImportPreview(fields["text"], format: format, in: store.state)
  }
}
