internal import ForsettiModuleKit

/// The words by which forms of a query name what they mean.
enum QueryForms {
  private static let newGroup = "A new group"

  /// The groups that a comparison may go into.
  static func groups(of draft: QueryDraft) -> [String] {
    draft.query.groups.indices.map { "Group \($0 + 1)" } + (draft.hasRoom ? [newGroup] : [])
  }

  /// The place of the group that a form names; the last where it names none.
  static func group(_ title: String, of draft: QueryDraft) -> Int {
    groups(of: draft).firstIndex(of: title) ?? max(0, draft.query.groups.count - 1)
  }

  /// The ID of the toggle of a field.
  static func toggle(_ key: String) -> String { "field.\(key)" }

  /// What a comparison says.
  static func words(_ criterion: RSQLCriterion, _ catalogue: InventoryCatalogue) -> String {
    let label = catalogue[criterion.field].map { catalogue.title($0) } ?? criterion.field
    return ([label, criterion.comparison.title] + [criterion.value.map(words)].compactMap { $0 })
      .joined(separator: " ")
  }

  private static func words(_ value: RSQLValue) -> String {
    switch value {
    case .string(let text): text.quoted()
    case .integer(let number): String(number)
    case .double(let number): String(number)
    case .date(let moment): self.moment(moment)
    case .dates(let range): "\(moment(range.lowerBound)) and \(moment(range.upperBound))"
    case .list(let entries): entries.map { $0.quoted() }.joined(separator: ", ")
    }
  }

  /// A day where it is one's beginning, else the time too.
  private static func moment(_ milliseconds: Int64) -> String {
    let text = timestampText(milliseconds)
    return milliseconds.isMultiple(of: 86_400_000)
      ? String(text.prefix(10)) : "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
  }
}
