internal import ForsettiModuleKit

/// The serial numbers that are in a PreStage, and the lock that a change of them must carry.
struct PrestageScope: Sendable, Equatable {
  /// In Jamf's order, normalised.
  let serials: [String]
  /// Counts changes; whoever changes the scope says which state they have seen. Without it the scope can be looked at
  /// and not changed.
  let lock: Int64?
  private let members: Set<String>

  /// Devices that a move may bring a scope to. Jamf Pro gives a scope whole, with about 94 bytes for each device and the name
  /// of the account that assigned it, and a body has at most `BodyPart.largestBody`: what can't be read can't be changed
  /// either, for its lock is in it. So many fit with names of 60 characters.
  static let limit = 25_000
  /// Devices in all scopes that are looked through together: their serial numbers are held at once, at some 60 bytes each.
  static let totalLimit = 500_000

  init(serials: [String], lock: Int64?) {
    var seen: Set<String> = []
    self.serials = serials.filter { seen.insert($0).inserted }
    self.lock = lock
    members = seen
  }

  func contains(_ serial: String) -> Bool { members.contains(serial) }
}

/// How many devices more may be looked through together with those of the scopes that it took.
struct ScopeRoom: Sendable {
  private var left: Int

  init(limit: Int = PrestageScope.totalLimit) { left = limit }

  /// - Throws: where the scope finds no room; it then takes none.
  mutating func take(_ scope: PrestageScope) throws(JamfFailure) {
    guard scope.serials.count <= left else { throw .beyondLimit(.devices) }
    left -= scope.serials.count
  }
}

// MARK: - What Jamf sends

extension PrestageScope {
  /// Reads a scope. Jamf documents `assignments` and `versionLock`; older servers and proxies before them have other
  /// spellings, which are understood as long as they are plain.
  /// - Returns: nothing where there is no list: a scope that was misread must not pass for an empty one.
  init?(_ answer: JSONValue) {
    guard let list = Self.list(of: answer) else { return nil }
    self.init(serials: list.compactMap(Self.serial), lock: Self.lock(of: answer))
  }

  private static let lockNames = ["versionLock", "version_lock", "lockVersion", "optimisticLockVersion"]

  private static func lock(of answer: JSONValue) -> Int64? {
    let members = answer.members ?? []
    let named = lockNames.lazy.compactMap { answer[$0] }.first
    let similar = members.lazy.first { $0.key.lowercased().contains("versionlock") }?.value
    guard let value = named ?? similar ?? answer["version"] else { return nil }
    let lock = value.integerValue ?? value.stringValue.flatMap { Int64($0) }
    return lock.flatMap { $0 >= 0 ? $0 : nil }
  }

  private static func list(of answer: JSONValue) -> [JSONValue]? {
    if let elements = answer.elements { return elements }
    for key in ["assignments", "serialNumbers", "serials"] {
      guard let value = answer[key] else { continue }
      if let elements = value.elements { return elements }
      // By serial number, as in {"F9F…": {"assignmentDate": …}}.
      if let members = value.members { return members.map { .string($0.key) } }
    }
    return answer.members?.first { $0.key.lowercased().contains("serial") && $0.value.elements != nil }?
      .value.elements
  }

  private static func serial(_ element: JSONValue) -> String? {
    let text =
      element.stringValue ?? element["serialNumber"]?.stringValue ?? element["serial"]?.stringValue
      ?? element["mobileDevice"]?["serialNumber"]?.stringValue
    return SerialNumbers.normalised(text)
  }
}
