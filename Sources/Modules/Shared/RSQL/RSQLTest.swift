internal import ForsettiModuleKit

/// What a value of a field must meet: a comparison whose value fits the field's type.
enum RSQLTest: Sendable, Hashable {
  /// A text, without regard to case.
  case text(RSQLTextPlace, String, isNegative: Bool)
  case number(RSQLNumberOrder, RSQLNumber)
  case flag(Bool)
  /// Milliseconds since 1970.
  case before(Int64)
  case after(Int64)
  /// The whole of a day in UTC.
  case on(Range<Int64>)
  /// Both ends count.
  case between(ClosedRange<Int64>)
  case oneOf([String], isNegative: Bool)
}

/// Where in a value a text must stand.
enum RSQLTextPlace: Sendable, Hashable {
  case whole, anywhere, start, end
}

/// How a number must lie to another.
enum RSQLNumberOrder: String, Sendable, Hashable {
  case equal = "=="
  case notEqual = "!="
  case less = "=lt="
  case lessOrEqual = "=le="
  case greater = "=gt="
  case greaterOrEqual = "=ge="
}

/// A finite number; integers are kept exactly.
enum RSQLNumber: Sendable, Hashable {
  case integer(Int64)
  case double(Double)

  /// Reads `1024` or `0.5`.
  init?(_ text: String) {
    if let integer = Int64(text) {
      self = .integer(integer)
    } else if let double = Double(text), double.isFinite {
      self = .double(double)
    } else {
      return nil
    }
  }

  /// As filters have it.
  var text: String {
    switch self {
    case .integer(let number): String(number)
    case .double(let number): String(number)
    }
  }
}

/// Why a comparison is left out of a query.
enum RSQLDropReason: Error, Sendable, Hashable {
  case unknownField
  /// The field can be looked at, but not searched by.
  case notFilterable
  /// There is nothing to compare with.
  case emptyValue
  /// As "contains" of a number.
  case operatorDoesNotFit
  /// As a number that is none.
  case valueDoesNotFit
  /// More than a filter should carry.
  case valueTooLong

  /// One line for people: what is wrong, and what to do.
  var advice: String {
    switch self {
    case .unknownField: "This field is not known here; choose another."
    case .notFilterable: "This field can be shown, but not searched by; choose another."
    case .emptyValue: "There is nothing to compare with; fill in a value."
    case .operatorDoesNotFit: "This field can't be compared like that; choose another comparison."
    case .valueDoesNotFit:
      "The value is not of the field's kind; numbers are like 1024 or 0.5, dates like 2026-11-30."
    case .valueTooLong: "The value is too long; a part of it finds the same."
    }
  }
}

extension RSQLTest {
  /// Judges a comparison: texts are trimmed, blanks are left out of lists, a text that is a number counts as one.
  init(_ criterion: RSQLCriterion, for field: RSQLField) throws(RSQLDropReason) {
    guard field.isFilterable else { throw .notFilterable }
    guard field.type.operators.contains(criterion.comparison) else { throw .operatorDoesNotFit }
    let value = criterion.value
    self =
      switch criterion.comparison {
      case .isTrue: .flag(true)
      case .isFalse: .flag(false)
      case .contains: .text(.anywhere, try value.text(), isNegative: false)
      case .notContains: .text(.anywhere, try value.text(), isNegative: true)
      case .startsWith: .text(.start, try value.text(), isNegative: false)
      case .endsWith: .text(.end, try value.text(), isNegative: false)
      case .equals where field.type.isNumeric: .number(.equal, try value.number())
      case .notEquals where field.type.isNumeric: .number(.notEqual, try value.number())
      case .equals: .text(.whole, try value.text(), isNegative: false)
      case .notEquals: .text(.whole, try value.text(), isNegative: true)
      case .lessThan: .number(.less, try value.number())
      case .lessThanOrEqual: .number(.lessOrEqual, try value.number())
      case .greaterThan: .number(.greater, try value.number())
      case .greaterThanOrEqual: .number(.greaterOrEqual, try value.number())
      case .before: .before(try value.moment())
      case .after: .after(try value.moment())
      case .on: .on(Self.day(of: try value.moment()))
      case .between: .between(try value.moments())
      case .includedIn: .oneOf(try value.entries(), isNegative: false)
      case .excludedFrom: .oneOf(try value.entries(), isNegative: true)
      }
  }

  /// The day in UTC that a moment of `RSQLValue.years` lies in.
  static func day(of moment: Int64) -> Range<Int64> {
    let length: Int64 = 86_400_000
    let start = moment - (moment % length + length) % length
    return start..<start + length
  }
}

extension RSQLFieldType {
  fileprivate var isNumeric: Bool { self == .integer || self == .double }
}

extension RSQLValue? {
  fileprivate func text() throws(RSQLDropReason) -> String {
    switch self {
    case .string(let text):
      let text = text.trimmedScalars
      guard !text.isEmpty else { throw .emptyValue }
      guard text.utf8.count <= RSQLValue.byteLimit else { throw .valueTooLong }
      return text
    case .integer(let number): return String(number)
    case nil: throw .emptyValue
    case .double, .date, .dates, .list: throw .valueDoesNotFit
    }
  }

  fileprivate func number() throws(RSQLDropReason) -> RSQLNumber {
    switch self {
    case .integer(let number): return .integer(number)
    case .double(let number) where number.isFinite: return .double(number)
    case .string(let text):
      let text = text.trimmedScalars
      guard !text.isEmpty else { throw .emptyValue }
      guard let number = RSQLNumber(text) else { throw .valueDoesNotFit }
      return number
    case nil: throw .emptyValue
    case .double, .date, .dates, .list: throw .valueDoesNotFit
    }
  }

  fileprivate func moment() throws(RSQLDropReason) -> Int64 {
    guard let value = self else { throw .emptyValue }
    guard case .date(let moment) = value, RSQLValue.years.contains(moment) else { throw .valueDoesNotFit }
    return moment
  }

  fileprivate func moments() throws(RSQLDropReason) -> ClosedRange<Int64> {
    guard let value = self else { throw .emptyValue }
    guard case .dates(let range) = value, RSQLValue.years.contains(range.lowerBound),
      RSQLValue.years.contains(range.upperBound)
    else { throw .valueDoesNotFit }
    return range
  }

  fileprivate func entries() throws(RSQLDropReason) -> [String] {
    guard let value = self else { throw .emptyValue }
    guard case .list(let entries) = value else { throw .valueDoesNotFit }
    let kept = entries.map(\.trimmedScalars).filter { !$0.isEmpty }
    guard !kept.isEmpty else { throw .emptyValue }
    guard kept.reduce(0, { $0 + $1.utf8.count }) <= RSQLValue.byteLimit else { throw .valueTooLong }
    return kept
  }
}
