/// What Jamf Pro is asked where one report alone is wanted, and what is left to be decided here. Its filters take no device
/// away that the report covers, and every criterion is decided here once more.
struct ReportPlan: Sendable, Equatable {
  /// A list that is read.
  struct Reading: Sendable, Equatable {
    let domain: DeviceDomain
    /// Sorted.
    let sections: [String]
    /// RSQL; nothing where Jamf Pro can't tell by the criteria which devices are wanted.
    let filter: String?
  }

  let readings: [Reading]
  /// Criteria that Jamf Pro decides not at all, or not of every list.
  let ownCriteria: [ReportCriterion]

  /// What says of every device what it is.
  private static let usual: [ReportField] = [.name, .serialNumber]

  init(_ definition: ReportDefinition) {
    let domains = DeviceDomain.allCases.filter(definition.scope.covers)
    let fields = Self.usual + definition.criteria.map(\.field) + [definition.grouping.field]
    readings = domains.map { domain in
      Reading(
        domain: domain, sections: Set(fields.map { $0.section(in: domain) }).sorted(),
        filter: Self.filter(definition, domain))
    }
    ownCriteria = definition.criteria.filter { criterion in
      domains.contains { criterion.filter(in: $0) == nil }
    }
  }

  /// Of criteria that must all hold those that Jamf Pro can decide; where one is enough it must decide all of them.
  private static func filter(_ definition: ReportDefinition, _ domain: DeviceDomain) -> String? {
    let parts = definition.criteria.compactMap { $0.filter(in: domain) }
    switch definition.matching {
    case .all: return parts.isEmpty ? nil : parts.joined(separator: ";")
    case .any:
      return parts.isEmpty || parts.count < definition.criteria.count ? nil : parts.joined(separator: ",")
    }
  }
}

extension ReportCriterion {
  /// The comparison in RSQL; nothing where a list of Jamf Pro's can't decide it, or would decide it otherwise.
  fileprivate func filter(in domain: DeviceDomain) -> String? {
    guard let name = field.filterName(in: domain) else { return nil }
    if let flag, comparison == .equals { return "\(name)==\(flag)" }
    switch comparison {
    // Here texts have no blanks at their ends, which a list of Jamf Pro's may have: it is asked for those that have the
    // value anywhere.
    case .equals, .contains, .startsWith, .endsWith:
      guard isAlikeEverywhere else { return nil }
      return "\(name)==\(RSQL.pattern(value, anythingBefore: true, anythingBehind: true))"
    // Of what is not known a server may think otherwise.
    case .notEquals, .notContains, .greaterThan, .lessThan, .isSet, .isEmpty: return nil
    }
  }

  /// Whether a text that has this value here has it there. Signs beyond ASCII a server may compare otherwise, and backslash
  /// and braces may stand here for one that can't be shown.
  private var isAlikeEverywhere: Bool {
    value.unicodeScalars.allSatisfy { $0.isASCII && !["\\", "{", "}"].contains($0) }
  }
}
