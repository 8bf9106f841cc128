internal import ForsettiModuleKit

/// Which columns the grid shows, in their order.
struct DeploymentLayout: Sendable, Hashable {
  /// What it is called; names are unique.
  var name: String
  var columns: [DeploymentField]
  /// Whether it comes with the demo, and stays.
  var isBuiltIn = false

  /// Layouts that people may keep.
  static let limit = 20
  /// Bytes of a name.
  static let nameLimit = 60

  /// Columns that are known and not shown.
  var hiddenCount: Int { DeploymentField.allCases.count - columns.count }

  /// What is unusual of it.
  var warnings: [String] {
    var warnings: [String] = []
    if columns.first != .serial { warnings.append("The serial number is not the first column.") }
    if !columns.contains(.status) { warnings.append("The status is not shown.") }
    return warnings
  }

  /// Reads a list of columns, by their titles or keys, with commas between them.
  init(name: String, list: String) throws(DeploymentRefusal) {
    let name = name.trimmedScalars
    guard !name.isEmpty, name.utf8.count <= Self.nameLimit else { throw .unfitName(limit: Self.nameLimit) }
    var columns: [DeploymentField] = []
    for part in list.split(separator: ",") where !part.allSatisfy(\.isWhitespace) {
      guard let field = DeploymentField(named: String(part)) else {
        throw .unknownField(String(part).trimmedScalars)
      }
      if !columns.contains(field) { columns.append(field) }
    }
    guard !columns.isEmpty else { throw .noColumns }
    self.init(name: name, columns: columns)
  }

  init(name: String, columns: [DeploymentField], isBuiltIn: Bool = false) {
    (self.name, self.columns, self.isBuiltIn) = (name, columns, isBuiltIn)
  }

  /// Those that come with the demo; the first is shown first.
  static let builtIn = [
    DeploymentLayout(
      name: "Overview",
      columns: [.serial, .assetTag, .deviceType, .model, .project, .status, .assignedUser, .location],
      isBuiltIn: true),
    DeploymentLayout(
      name: "Intake",
      columns: [.serial, .deviceType, .model, .partNumber, .vendor, .purchaseOrder, .received, .status],
      isBuiltIn: true),
    DeploymentLayout(
      name: "Readiness",
      columns: [.serial, .status, .project, .profile, .business, .preload, .serviceDesk, .ticket],
      isBuiltIn: true),
    DeploymentLayout(
      name: "Everything",
      columns: DeploymentField.allCases, isBuiltIn: true),
  ]
}
