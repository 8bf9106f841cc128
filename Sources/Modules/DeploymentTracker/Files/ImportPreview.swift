internal import ForsettiModuleKit

/// What an import would bring. It is looked at, and never carried out.
struct ImportPreview: Sendable, Hashable {
  /// How a text is laid out.
  enum Format: String, CaseIterable, Sendable {
    case csv = "CSV with titles"
    case serialList = "List of serial numbers"
  }

  /// Something to look at, in the text.
  struct Issue: Sendable, Hashable {
    var position: TextPosition
    var text: String
    /// Whether the row could be imported all the same.
    var isWarning = false
  }

  /// A column of the text, and the field it would fill.
  struct Column: Sendable, Hashable {
    var title: String
    var field: DeploymentField?
  }

  /// A row of the text.
  struct Row: Sendable, Hashable {
    var line: Int
    var serial: String
    var values: [DeploymentField: String]
    /// Whether the demo has a device of this serial number.
    var isKnown: Bool
    var hasFault: Bool
  }

  private(set) var columns: [Column] = []
  private(set) var rows: [Row] = []
  private(set) var issues: [Issue] = []
  /// Issues that are not listed, for there are too many.
  private(set) var moreIssues = 0

  /// Issues that are listed at most.
  static let issueLimit = 50

  /// Rows that bring a device which the demo doesn't have.
  var newCount: Int { rows.count { !$0.isKnown && !$0.hasFault } }
  /// Rows of devices that the demo has.
  var knownCount: Int { rows.count { $0.isKnown && !$0.hasFault } }
  /// Rows that can't be imported.
  var faultCount: Int { rows.count(where: \.hasFault) }

  /// Looks at a text.
  init(_ text: String, format: Format, in state: DeploymentState) {
    let cells: [[CSVReader.Cell]]
    do throws(CSVFault) { cells = try CSVReader.rows(of: text) } catch {
      add(Issue(position: error.position, text: error.text))
      return
    }
    guard let first = cells.first else {
      add(Issue(position: TextPosition(line: 1, column: 1), text: "There is nothing to import; paste rows."))
      return
    }
    switch format {
    case .serialList:
      columns = [Column(title: DeploymentField.serial.title, field: .serial)]
      read(cells, in: state)
    case .csv:
      map(first)
      guard columns.contains(where: { $0.field == .serial }) else {
        add(
          Issue(
            position: first[0].position,
            text: "No column is called \(DeploymentField.serial.title.quoted()), and every row needs one."))
        return
      }
      read(Array(cells.dropFirst()), in: state)
    }
  }

  /// Finds the fields of the titles. Of two columns for one field the first counts.
  private mutating func map(_ titles: [CSVReader.Cell]) {
    var taken: Set<DeploymentField> = []
    for cell in titles {
      let title = cell.text.trimmedScalars
      let field = DeploymentField(named: title)
      if field == nil {
        let hint = NearestName.hint(for: title, among: DeploymentField.allCases.map(\.title))
        add(
          Issue(
            position: cell.position, text: "The column \(title.quoted()) is not known and left out\(hint).",
            isWarning: true))
      } else if let field, !taken.insert(field).inserted {
        add(
          Issue(
            position: cell.position, text: "A second column \(title.quoted()) is left out.", isWarning: true))
        columns.append(Column(title: title, field: nil))
        continue
      }
      columns.append(Column(title: title, field: field))
    }
  }

  private mutating func read(_ cells: [[CSVReader.Cell]], in state: DeploymentState) {
    var seen: [String: Int] = [:]
    for row in cells {
      let position = row[0].position
      var faults: [Issue] = []
      if row.count != columns.count {
        let counts = "\(row.count) cells, and \(columns.count) are expected"
        faults.append(Issue(position: position, text: "The row has \(counts)."))
      }
      var values: [DeploymentField: String] = [:]
      var serialPosition = position
      for (column, cell) in zip(columns, row) {
        guard let field = column.field else { continue }
        if field == .serial { serialPosition = cell.position }
        if let fault = Self.fault(of: cell.text, field) {
          faults.append(Issue(position: cell.position, text: fault))
        }
        values[field] = cell.text.isEmpty ? nil : cell.text
      }
      let serial = DeploymentDevice.normalised(values[.serial] ?? "")
      if serial.isEmpty {
        faults.append(Issue(position: serialPosition, text: "The serial number is missing."))
      } else if let line = seen[serial] {
        faults.append(
          Issue(position: serialPosition, text: "\(serial.quoted()) is in line \(line) already."))
      } else {
        seen[serial] = position.line
      }
      for fault in faults { add(fault) }
      rows.append(
        Row(
          line: position.line, serial: serial, values: values, isKnown: state.devices[serial] != nil,
          hasFault: !faults.isEmpty))
    }
  }

  /// What is wrong with a cell.
  private static func fault(of text: String, _ field: DeploymentField) -> String? {
    if text.utf8.count > DeploymentRules.valueLimit
      || text.unicodeScalars.contains(where: \.isUnfitForDisplay)
    {
      return DeploymentRefusal.unfitValue(field).what
    }
    guard field == .deviceType, !text.isEmpty else { return nil }
    let kinds = DeploymentDevice.Kind.allCases.map(\.rawValue)
    guard !kinds.contains(where: { $0.lowercased() == text.lowercased() }) else { return nil }
    return "\(text.quoted()) is no device type; known are \(kinds.joined(separator: ", "))."
  }

  private mutating func add(_ issue: Issue) {
    if issues.count < Self.issueLimit { issues.append(issue) } else { moreIssues += 1 }
  }
}
