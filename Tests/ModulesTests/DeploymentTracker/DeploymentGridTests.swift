import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("The grid of the deployment tracker") struct DeploymentGridTests {
  private static let state = DeploymentSeed.state()

  private static let filters: [(String, String, @Sendable (DeploymentDevice) -> Bool)] = [
    ("", "demo-ipad-0021", { $0.serial == "DEMO-IPAD-0021" }),
    ("*", "DEMO.USER007@", { $0.text(.email).hasPrefix("demo.user007@") }),
    ("Device Type", "mac", { $0.kind == .mac }), ("deviceType", "iph", { $0.kind == .iPhone }),
    ("status", "on hold", { $0.status == .onHold }), (" Project ", "FIELD", { $0.project == "FIELD" }),
    ("Record", "archived", { $0.record == .archived }),
  ]

  @Test("shows the devices whose field holds a text, whatever its case", arguments: filters)
  func filtered(field: String, text: String, isKept: @Sendable (DeploymentDevice) -> Bool) throws {
    var grid = DeploymentGrid()
    grid.add(try DeploymentGrid.Filter(field: field, text: text))
    let expected = Self.state.sortedDevices.filter(isKept)
    #expect(!expected.isEmpty)
    #expect(grid.rows(of: Self.state.sortedDevices) == expected)
  }

  @Test("wants all filters to match, and takes one away that is given no text")
  func several() throws {
    var grid = DeploymentGrid()
    grid.add(try DeploymentGrid.Filter(field: "deviceType", text: "iPad"))
    grid.add(try DeploymentGrid.Filter(field: "project", text: "field"))
    let rows = grid.rows(of: Self.state.sortedDevices)
    #expect(!rows.isEmpty && rows.allSatisfy { $0.kind == .iPad && $0.project == "FIELD" })
    grid.add(try DeploymentGrid.Filter(field: "project", text: " "))
    #expect(grid.rows(of: Self.state.sortedDevices).count == 43)
    grid.clear()
    #expect(grid.rows(of: Self.state.sortedDevices).count == 120)
    for number in 0..<20 { grid.add(try DeploymentGrid.Filter(field: "*", text: "\(number)")) }
    #expect(grid.filters.count == DeploymentGrid.filterLimit)
    #expect(throws: DeploymentRefusal.unknownField("colour")) {
      try DeploymentGrid.Filter(field: "colour", text: "red")
    }
    #expect(throws: DeploymentRefusal.unfitValue(.serial)) {
      try DeploymentGrid.Filter(field: "*", text: String(repeating: "x", count: 201))
    }
  }

  @Test("sorts by what it shows, either way, and by serial numbers where that is the same")
  func sorted() {
    var grid = DeploymentGrid()
    #expect(grid.rows(of: Self.state.sortedDevices.reversed()) == Self.state.sortedDevices)
    grid.sort = .status
    let rows = grid.rows(of: Self.state.sortedDevices)
    for (one, next) in zip(rows, rows.dropFirst()) {
      let (left, right) = (one.text(.status).lowercased(), next.text(.status).lowercased())
      #expect(left < right || (left == right && one.serial < next.serial))
    }
    grid.isDescending = true
    #expect(grid.rows(of: Self.state.sortedDevices).first?.status == .shipped)
  }

  @Test("shows a page at a time, and never one that is none")
  func pages() throws {
    var grid = DeploymentGrid()
    let rows = grid.rows(of: Self.state.sortedDevices)
    #expect(DeploymentGrid.pageCount(rows.count) == 3)
    for (wanted, page) in [(-1, 0), (1, 1), (2, 2), (3, 2), (.max, 2)] {
      grid.show(page: wanted, of: rows.count)
      #expect(grid.page == page)
      #expect(grid.visible(rows).count == DeploymentGrid.pageSize)
    }
    grid.add(try DeploymentGrid.Filter(field: "*", text: "DEMO-MAC-0001"))
    #expect(grid.page == 0)
    #expect(grid.visible([]).isEmpty && DeploymentGrid.pageCount(0) == 1)
  }

  @Test("keeps layouts of people's own, and says what is unusual of one")
  func layouts() throws {
    let layout = try DeploymentLayout(name: " Mine ", list: "status, Serial Number,,status")
    #expect(layout.name == "Mine" && layout.columns == [.status, .serial])
    #expect(layout.warnings.count == 1 && layout.hiddenCount == 24)
    #expect(DeploymentLayout.builtIn.allSatisfy { $0.warnings.isEmpty })
    #expect(throws: DeploymentRefusal.unknownField("colour")) {
      try DeploymentLayout(name: "x", list: "colour")
    }
    #expect(throws: DeploymentRefusal.noColumns) { try DeploymentLayout(name: "x", list: " , ") }
    #expect(throws: DeploymentRefusal.unfitName(limit: 60)) {
      try DeploymentLayout(name: " ", list: "status")
    }

    var state = Self.state
    state.apply(try DeploymentRules.save(layout, in: state, at: 1))
    #expect(state.layouts.map(\.name).suffix(2) == ["Everything", "Mine"])
    #expect(throws: DeploymentRefusal.builtInLayout("Overview")) {
      try DeploymentRules.save(DeploymentLayout(name: "Overview", list: "status"), in: state, at: 1)
    }
    #expect(throws: DeploymentRefusal.builtInLayout("Overview")) {
      try DeploymentRules.removeLayout("Overview", in: state, at: 1)
    }
    state.apply(try DeploymentRules.removeLayout("Mine", in: state, at: 2))
    #expect(throws: DeploymentRefusal.unknownLayout("Mine")) {
      try DeploymentRules.removeLayout("Mine", in: state, at: 3)
    }
    for number in 0..<DeploymentLayout.limit {
      let layout = try DeploymentLayout(name: "\(number)", list: "status")
      state.apply(try DeploymentRules.save(layout, in: state, at: 4))
    }
    #expect(throws: DeploymentRefusal.tooManyLayouts) {
      try DeploymentRules.save(DeploymentLayout(name: "more", list: "status"), in: state, at: 5)
    }
  }

  @Test("counts the devices that are worked with")
  func figures() throws {
    let figures = DeploymentFigures(Self.state)
    let active = Self.state.activeDevices.count
    #expect(figures.figures.first?.text == "Inventory: \(active) of \(active)")
    #expect(figures.byStatus.map(\.count).reduce(0, +) == active)
    #expect(figures.byKind.map(\.count).reduce(0, +) == active)
    var state = Self.state
    let device = try #require(state.activeDevices.first { $0.status == .delivered })
    state.apply(try DeploymentRules.setRecord(.archived, of: device.serial, in: state, at: 1))
    let after = DeploymentFigures(state)
    for (one, other) in zip(figures.figures, after.figures)
    where ["Inventory", "Delivered"].contains(one.name) {
      #expect(other.count == one.count - 1)
    }
    let blocked = DeploymentTestData.state(
      DeploymentTestData.device(.received), exceptions: [DeploymentTestData.exception(.critical)])
    #expect(DeploymentFigures(blocked).figures.map(\.text).contains("Blocked: 1 of 1"))
  }
}
