import ForsettiCore

/// Why a filter is none.
struct RSQLFault: Error, Sendable, Equatable {
  enum Reason: Sendable, Equatable {
    case tooLong(limit: Int)
    case tooDeep(limit: Int)
    case tooManyComparisons(limit: Int)
    case tooManyValues(limit: Int)
    case unclosedQuote
    case unknownOperator(String)
    /// What stands where something else should.
    case unexpected(found: String, expected: String)
    case unknownField(String)
    /// The field does not know this comparison: a boolean is neither smaller nor larger.
    case unfitComparator(field: String)
    /// The value is none of the field's kind.
    case unfitValue(field: String, value: String, kind: FieldKind)
  }

  var reason: Reason
  /// Where, in bytes of UTF-8.
  var offset: Int
}

extension RSQLFault: CustomStringConvertible {
  var description: String {
    let what =
      switch reason {
      case .tooLong(let limit): "the filter has more than \(limit) bytes"
      case .tooDeep(let limit): "more than \(limit) parentheses within one another"
      case .tooManyComparisons(let limit): "more than \(limit) comparisons"
      case .tooManyValues(let limit): "more than \(limit) values in one list"
      case .unclosedQuote: "a quoted value without its closing quote"
      case .unknownOperator(let text): "\(text.quoted()) is no operator"
      case .unexpected(let found, let expected): "\(expected) is expected, not \(found)"
      case .unknownField(let field): "\(field.quoted()) is no field to filter by"
      case .unfitComparator(let field): "\(field.quoted()) can't be compared this way"
      case .unfitValue(let field, let value, let kind): "\(field.quoted()): \(value.quoted()) is no \(kind)"
      }
    return "\(what) (at byte \(offset))"
  }
}
