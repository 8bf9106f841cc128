/// Where the devices of a domain come from, and what to try when a Jamf Pro knows less than the latest.
struct InventorySource: Sendable, Equatable {
  let domain: DeviceDomain
  /// The newest version first.
  let paths: [String]
  /// What is asked for, the most first; the last asks for nothing, and takes what comes.
  let sections: [[String]]
  /// RSQL; nothing for all devices.
  private let filter: String?

  /// All that reports may need.
  init(_ domain: DeviceDomain, withAttributes: Bool) {
    self.domain = domain
    filter = nil
    let attributes = withAttributes ? ["EXTENSION_ATTRIBUTES"] : []
    switch domain {
    case .computers:
      let usual = ["GENERAL", "HARDWARE", "OPERATING_SYSTEM", "USER_AND_LOCATION"]
      paths = Self.paths(of: domain)
      sections = [usual + ["STORAGE"] + attributes, usual, []]
    case .mobileDevices:
      paths = Self.paths(of: domain)
      sections = [["GENERAL", "HARDWARE", "USER_AND_LOCATION"] + attributes, ["GENERAL", "HARDWARE"], []]
    }
  }

  /// What one report needs.
  init(_ reading: ReportPlan.Reading) {
    domain = reading.domain
    filter = reading.filter
    paths = Self.paths(of: reading.domain)
    sections = [reading.sections, ["GENERAL", "HARDWARE"], []]
  }

  private static func paths(of domain: DeviceDomain) -> [String] {
    switch domain {
    case .computers: InventoryEndpoints.computers.map { $0.path() }
    case .mobileDevices: InventoryEndpoints.mobileDevices.map { $0.path() }
    }
  }

  /// One way to ask.
  struct Attempt: Sendable, Equatable {
    var path: String
    var sections: [String]
    var filter: String?
    /// What will be missing, where this is not the first choice.
    var lack: String?

    var query: [(String, String)] {
      sections.map { ("section", $0) } + (filter.map { [("filter", $0)] } ?? [])
    }
  }

  /// The first choice.
  var first: Attempt { attempt(0, 0, filter) }

  /// What to try after a way that Jamf Pro refused: an older version where it has no such call; without a filter, then
  /// with fewer sections, where it does not know one. Nothing where it is something else, or all was tried.
  func next(after attempt: Attempt, failedBy failure: JamfFailure) -> Attempt? {
    guard let path = paths.firstIndex(of: attempt.path),
      let section = sections.firstIndex(of: attempt.sections)
    else { return nil }
    switch failure {
    case .notFound where path + 1 < paths.count: return self.attempt(path + 1, section, attempt.filter)
    case .invalidRequest where attempt.filter != nil: return self.attempt(path, section, nil)
    case .invalidRequest where section + 1 < sections.count: return self.attempt(path, section + 1, nil)
    default: return nil
    }
  }

  private func attempt(_ path: Int, _ section: Int, _ filter: String?) -> Attempt {
    let missing = Set(sections[0]).subtracting(sections[section]).sorted()
    return Attempt(
      path: paths[path], sections: sections[section], filter: filter,
      lack: missing.isEmpty
        ? nil
        : "\(domain.title): this Jamf Pro gives no \(missing.joined(separator: ", ")); what they hold is empty."
    )
  }
}
