internal import ForsettiModuleKit

/// One condition of a report: a field, how it compares, and with what.
struct ReportCriterion: Sendable, Equatable {
  let field: ReportField
  let comparison: ReportComparison
  /// As it was typed, without white space at its ends; empty where nothing stands on the right.
  let value: String
  private let test: Test

  /// Bytes of a value at most.
  static let valueLimit = 256

  /// What is compared with, read once and not for each device.
  private enum Test: Sendable, Equatable {
    case presence(Bool)
    /// In lower case.
    case text(String)
    case version(VersionNumber)
    case day(String)
    case flag(Bool)
    case percent(Int)
  }

  /// Makes a condition that means something.
  init(_ field: ReportField, _ comparison: ReportComparison, _ value: String = "") throws(ReportFault) {
    guard field.kind.comparisons.contains(comparison) else { throw .comparison(field) }
    let text = comparison.needsValue ? value.trimmedScalars : ""
    guard text.utf8.count <= Self.valueLimit else { throw .valueTooLong(field) }
    (self.field, self.comparison, self.value) = (field, comparison, text)
    test = try Self.test(field, comparison, text)
  }

  private static func test(
    _ field: ReportField, _ comparison: ReportComparison, _ text: String
  ) throws(ReportFault) -> Test {
    guard comparison.needsValue else { return .presence(comparison == .isSet) }
    guard !text.isEmpty else { throw .valueMissing(field) }
    switch field.kind {
    case .text: return .text(text.lowercased())
    case .version:
      guard let version = VersionNumber(text) else { throw .version(field) }
      return .version(version)
    case .day:
      guard ReportDay.isDay(text) else { throw .day(field) }
      return .day(text)
    case .flag:
      switch text.lowercased() {
      case "yes", "true": return .flag(true)
      case "no", "false": return .flag(false)
      default: throw .flag(field)
      }
    case .percent:
      guard let number = Int(text), 0...100 ~= number else { throw .percent(field) }
      return .percent(number)
    }
  }

  /// Whether a device fulfils it. What nobody knows equals nothing and contains nothing.
  func matches(_ device: ReportDevice) -> Bool {
    switch test {
    case .presence(let isSet): (device.text(of: field) != nil) == isSet
    case .text(let wanted): compare(device.text(of: field)?.lowercased(), wanted)
    case .version(let wanted): compare(device.text(of: field).flatMap(VersionNumber.init), wanted)
    case .day(let wanted): order(device.text(of: field).flatMap { ReportDay.isDay($0) ? $0 : nil }, wanted)
    case .flag(let wanted): (device.flag(of: field) == wanted) == (comparison == .equals)
    case .percent(let wanted): order(device.percent(of: field), wanted)
    }
  }

  private func compare(_ known: String?, _ wanted: String) -> Bool {
    switch comparison {
    case .equals: known == wanted
    case .notEquals: known != wanted
    case .contains: known?.contains(wanted) ?? false
    case .notContains: !(known?.contains(wanted) ?? false)
    case .startsWith: known?.hasPrefix(wanted) ?? false
    case .endsWith: known?.hasSuffix(wanted) ?? false
    case .greaterThan, .lessThan, .isSet, .isEmpty: false
    }
  }

  private func compare(_ known: VersionNumber?, _ wanted: VersionNumber) -> Bool {
    comparison == .startsWith ? known?.isWithin(wanted) ?? false : order(known, wanted)
  }

  private func order<Value: Comparable>(_ known: Value?, _ wanted: Value) -> Bool {
    switch comparison {
    case .equals: known == wanted
    case .notEquals: known != wanted
    case .greaterThan: known.map { $0 > wanted } ?? false
    case .lessThan: known.map { $0 < wanted } ?? false
    case .contains, .notContains, .startsWith, .endsWith, .isSet, .isEmpty: false
    }
  }

  /// What a field of yes or no is compared with.
  var flag: Bool? { if case .flag(let flag) = test { flag } else { nil } }

  /// One line for people.
  var summary: String {
    comparison.needsValue
      ? "\(field.title) \(comparison.title) \(value)" : "\(field.title) \(comparison.title)"
  }
}
