/// What is wrong with a report that somebody asks for.
enum ReportFault: Error, Sendable, Equatable {
  case unknownField(String)
  case unknownComparison(String)
  /// The comparison means nothing for this field.
  case comparison(ReportField)
  case valueMissing(ReportField)
  case valueTooLong(ReportField)
  case version(ReportField)
  case day(ReportField)
  case flag(ReportField)
  case percent(ReportField)
  case nameMissing
  case nameTooLong
  case tooManyCriteria
  case tooManyReports

  /// One line for people: what is wrong, and what to do.
  var advice: String {
    switch self {
    case .unknownField(let name): "There is no field \(name); pick one from the list."
    case .unknownComparison(let name): "There is no comparison \(name); pick one from the list."
    case .comparison(let field):
      "\(field.title) can't be compared so; it \(field.kind.comparisons.map(\.title).joined(separator: ", "))."
    case .valueMissing(let field): "Say what \(field.title) is compared with."
    case .valueTooLong(let field):
      "The value for \(field.title) has more than \(ReportCriterion.valueLimit) bytes; shorten it."
    case .version(let field): "\(field.title) is compared with a version, such as 15.6."
    case .day(let field): "\(field.title) is compared with a date, such as 2026-11-30."
    case .flag(let field): "\(field.title) is Yes or No."
    case .percent(let field): "\(field.title) is compared with a whole number from 0 to 100."
    case .nameMissing: "Give the report a name."
    case .nameTooLong: "The name has more than \(ReportDefinition.nameLimit) bytes; shorten it."
    case .tooManyCriteria:
      "A report has \(ReportDefinition.criteriaLimit) criteria at most; remove one first."
    case .tooManyReports: "\(SavedReports.limit) reports are kept at most; delete one first."
    }
  }
}
