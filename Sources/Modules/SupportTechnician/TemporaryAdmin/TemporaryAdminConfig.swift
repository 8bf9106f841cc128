internal import ForsettiModuleKit

/// How temporary administrator rights are given here. An administrator of Jamf Pro makes the groups and the policies that
/// act on them beforehand; this module changes who is in a group, and nothing else.
struct TemporaryAdminConfig: Sendable, Equatable {
  /// Off until somebody switches it on.
  var isEnabled = false
  var requiresTicket = false
  /// IDs of static groups of computers by the minutes that rights hold.
  var groups: [Int: String] = [:]
  /// The group whose Macs lose the rights at once.
  var demoteGroup: String?
  /// Minutes that a Mac has to report.
  var timeoutMinutes = 25
  /// Whether a Mac that does not report is taken out of the group again.
  var cleansUpAfterTimeout = true

  /// Minutes that can be asked for.
  static let durations = [5, 15, 30, 60]
  /// Minutes that a time to report may have.
  static let timeouts: ClosedRange<Int64> = 5...120

  /// Those that can be asked for here.
  var offered: [Int] { isEnabled ? Self.durations.filter { groups[$0] != nil } : [] }
  /// Whether everything that could be asked for can be.
  var isComplete: Bool { isEnabled && groups.count == Self.durations.count && demoteGroup != nil }
}

extension TemporaryAdminConfig {
  /// The fields of the form, which are the keys of what is kept too.
  enum Key {
    static let enabled = "enabled"
    static let ticket = "ticket-required"
    static let demote = "group-demote"
    static let timeout = "timeout-minutes"
    static let cleanup = "cleanup"

    static func group(_ minutes: Int) -> String { "group-\(minutes)" }
  }

  /// Reads what a form sent.
  init(form: [String: String]) throws(TemporaryAdminRefusal) {
    isEnabled = form[Key.enabled] == "true"
    requiresTicket = form[Key.ticket] == "true"
    cleansUpAfterTimeout = form[Key.cleanup] == "true"
    for minutes in Self.durations { groups[minutes] = try Self.group(form[Key.group(minutes)]) }
    demoteGroup = try Self.group(form[Key.demote])
    guard let timeout = Int64((form[Key.timeout] ?? "").trimmedScalars), Self.timeouts.contains(timeout)
    else {
      throw .badTimeout
    }
    timeoutMinutes = Int(timeout)
    let all = groups.values + [demoteGroup].compactMap { $0 }
    guard Set(all).count == all.count else { throw .sameGroup }
  }

  /// As a form has it.
  var form: [String: String] {
    var form = [
      Key.enabled: "\(isEnabled)", Key.ticket: "\(requiresTicket)", Key.cleanup: "\(cleansUpAfterTimeout)",
      Key.timeout: "\(timeoutMinutes)", Key.demote: demoteGroup ?? "",
    ]
    for minutes in Self.durations { form[Key.group(minutes)] = groups[minutes] ?? "" }
    return form
  }

  /// As it is kept in storage.
  var text: String {
    JSONWriter.text(.object(form.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
  }

  /// Reads what was kept; nothing where it is another text.
  init?(text: String) {
    let limits = JSONLimits(bytes: 4_096, depth: 2)
    guard let members = (try? JSONParser.parse(Array(text.utf8), limits: limits))?.root.members else {
      return nil
    }
    let pairs = members.compactMap { member in member.value.stringValue.map { (member.key, $0) } }
    guard let config = try? Self(form: Dictionary(pairs) { first, _ in first }) else { return nil }
    self = config
  }

  /// The ID of a group, or none for a blank field.
  private static func group(_ text: String?) throws(TemporaryAdminRefusal) -> String? {
    guard let text = text?.trimmedScalars, !text.isEmpty else { return nil }
    guard let id = SupportText.inventoryID(text) else { throw .badGroup(text) }
    return id
  }
}

/// Why rights are not given, or a setting is not taken.
enum TemporaryAdminRefusal: Error, Sendable, Equatable {
  case notConfigured
  case notManagedMac
  case noSuchDuration
  case noReason
  case noTicket
  /// Another request for the same Mac is under way.
  case underWay
  /// The rights are being taken away already.
  case demoting
  case badGroup(String)
  case sameGroup
  case badTimeout

  /// One line for people: what is wrong, and what to do.
  var advice: String {
    switch self {
    case .notConfigured: "Temporary administrator rights are not set up here; see the settings of this page."
    case .notManagedMac: "Rights are given on managed Macs alone."
    case .noSuchDuration:
      "Rights are given for \(TemporaryAdminConfig.durations.map(String.init).joined(separator: ", ")) minutes, where a group is set."
    case .noReason: "Say why the rights are needed."
    case .noTicket: "Name the ticket; it is required here."
    case .underWay: "A request for this Mac is under way; wait for its end, or take the rights away."
    case .demoting: "The rights are being taken away already; wait until the Mac has reported."
    case .badGroup(let text): "\(text.quoted()) is no ID of a static group; it has digits only."
    case .sameGroup: "Each duration needs a group of its own."
    case .badTimeout:
      "A Mac has \(TemporaryAdminConfig.timeouts.lowerBound) to \(TemporaryAdminConfig.timeouts.upperBound) minutes to report."
    }
  }
}
