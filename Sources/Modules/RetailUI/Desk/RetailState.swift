internal import ForsettiModuleKit

/// All that the desk shows of the others: what they, or the runtime, said of them. What nobody has said is unknown, and is
/// shown so.
struct RetailState: Sendable, Equatable {
  /// Whether a module runs.
  enum Presence: String, Sendable, Equatable {
    case unknown, active, inactive
    /// It ended unasked, and was not heard of since.
    case ended
  }

  /// What service.jamf says of Jamf Pro.
  struct Connection: Sendable, Equatable {
    /// A word of service.jamf's.
    var state: String
    var server: String?
    /// Milliseconds since 1970.
    var since: Int64?
  }

  /// The errors and warnings that diagnostics has kept last.
  enum RecentErrors: Sendable, Equatable {
    case unknown
    /// Why nobody can say.
    case unavailable(String)
    /// Newest first.
    case known([DiagnosticReport])
  }

  private(set) var presences: [String: Presence] = [:]
  private(set) var connection: Connection?
  /// Orders to devices that have not been answered.
  private(set) var pendingCommands: Int?
  private(set) var errors = RecentErrors.unknown
  /// What the last button came to.
  var notice: RetailNotice?

  func presence(of moduleID: String) -> Presence { presences[moduleID] ?? .unknown }

  /// Modules that run, of all that the desk knows.
  var activeCount: Int { RetailCatalogue.entries.count { presence(of: $0.moduleID) == .active } }

  /// Takes what was found out by asking, unless something was heard since.
  mutating func find(_ found: Presence, of moduleID: String, insteadOf earlier: Presence) {
    if presence(of: moduleID) == earlier { set(found, of: moduleID) }
  }

  /// Takes what was heard.
  mutating func hear(_ news: RetailNews) {
    switch news {
    case .presence(let presence, let moduleID):
      if RetailCatalogue.has(moduleID) { set(presence, of: moduleID) }
    case .connection(let connection): self.connection = connection
    case .pendingCommands(let count): pendingCommands = count
    case .diagnosticsChanged: break
    }
  }

  /// Takes what diagnostics has answered.
  mutating func take(_ errors: RecentErrors) { self.errors = errors }

  /// Of a module that is gone nothing that it said holds any more.
  private mutating func set(_ presence: Presence, of moduleID: String) {
    presences[moduleID] = presence
    guard presence != .active else { return }
    switch moduleID {
    case RetailCatalogue.jamf: connection = nil
    case RetailCatalogue.support: pendingCommands = nil
    case RetailCatalogue.diagnostics: errors = .unknown
    default: break
    }
  }
}

/// What a button came to, in a line for people.
struct RetailNotice: Sendable, Equatable {
  var text: String
  var tone: ViewTone
}
