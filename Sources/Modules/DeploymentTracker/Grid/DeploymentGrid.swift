internal import ForsettiModuleKit

/// How the grid is looked at: which devices, in which order, with which columns.
struct DeploymentGrid: Sendable, Hashable {
  /// A text that a field must hold, whatever its case.
  struct Filter: Sendable, Hashable {
    /// Nothing stands for any field.
    var field: DeploymentField?
    var text: String

    /// The name of any field.
    static let anyField = "*"
    /// Bytes of a text at most.
    static let textLimit = 200

    /// Reads what somebody typed.
    init(field name: String, text: String) throws(DeploymentRefusal) {
      let name = name.trimmedScalars
      if name.isEmpty || name == Self.anyField {
        field = nil
      } else {
        guard let known = DeploymentField(named: name) else { throw .unknownField(name) }
        field = known
      }
      let text = text.trimmedScalars
      guard text.utf8.count <= Self.textLimit else { throw .unfitValue(field ?? .serial) }
      self.text = text
    }

    /// Whether a device has the text.
    func matches(_ device: DeploymentDevice) -> Bool {
      let folded = text.lowercased()
      func holds(_ field: DeploymentField) -> Bool { device.text(field).lowercased().contains(folded) }
      return field.map(holds) ?? DeploymentField.allCases.contains(where: holds)
    }
  }

  /// All must match.
  private(set) var filters: [Filter] = []
  var sort = DeploymentField.serial
  var isDescending = false
  var layout = DeploymentLayout.builtIn[0]
  /// From 0.
  private(set) var page = 0

  /// Devices of a page: with all columns they stay within what a view may have.
  static let pageSize = 40
  /// Filters at once.
  static let filterLimit = 8

  /// Adds a filter, or takes those of its field away where it has no text.
  mutating func add(_ filter: Filter) {
    page = 0
    filters.removeAll { $0.field == filter.field && (filter.text.isEmpty || $0.text == filter.text) }
    guard !filter.text.isEmpty else { return }
    if filters.count == Self.filterLimit { filters.removeFirst() }
    filters.append(filter)
  }

  /// Takes all filters away.
  mutating func clear() { (filters, page) = ([], 0) }

  /// The devices that pass, in order. Devices that have the same text are in the order of their serial numbers.
  func rows(of devices: [DeploymentDevice]) -> [DeploymentDevice] {
    let kept = devices.filter { device in filters.allSatisfy { $0.matches(device) } }
    return kept.sorted { left, right in
      let (mine, other) = (left.text(sort).lowercased(), right.text(sort).lowercased())
      guard mine != other else { return left.serial < right.serial }
      return (mine < other) != isDescending
    }
  }

  /// The devices of the page that is shown.
  func visible(_ rows: [DeploymentDevice]) -> ArraySlice<DeploymentDevice> {
    let start = min(page * Self.pageSize, rows.count)
    return rows[start..<min(start + Self.pageSize, rows.count)]
  }

  /// Pages of so many devices, one at least.
  static func pageCount(_ rows: Int) -> Int { max(1, (rows + pageSize - 1) / pageSize) }

  /// Shows another page, the nearest there is.
  mutating func show(page wanted: Int, of rows: Int) {
    page = min(max(0, wanted), Self.pageCount(rows) - 1)
  }
}
