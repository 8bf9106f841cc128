internal import ForsettiModuleKit

/// What the desk hears of others, as events.
enum RetailNews: Sendable, Equatable {
  case presence(RetailState.Presence, moduleID: String)
  case connection(RetailState.Connection)
  case pendingCommands(Int)
  /// Something new is kept, or everything was cleared.
  case diagnosticsChanged

  static let lifecycle = "forsetti.lifecycle."
  static let connectionType = RetailCatalogue.jamf + ".connection"
  static let pendingType = RetailCatalogue.support + ".pending"
  static let changedType = ModuleDesk.type("changed", of: RetailCatalogue.diagnostics)

  /// What is added to the type of a module's news to ask for it; it comes as a message then.
  private static let asking = ".ask"

  /// The message that asks a module for its news. One that has none passes it over, and is there nevertheless.
  static func question(to moduleID: String) -> String {
    switch moduleID {
    case RetailCatalogue.jamf: connectionType + asking
    case RetailCatalogue.support: pendingType + asking
    default: ModuleDesk.type("presence", of: moduleID) + asking
    }
  }

  /// Answers to questions.
  static let answers = [connectionType, pendingType]
  /// What it listens to.
  static let patterns = [lifecycle + "*", connectionType, pendingType, changedType]

  /// Scalars of a word of others that are shown.
  private static let longestWord = 200

  /// Reads an event; nothing for one that says nothing of use, or is not said by whose word it would be.
  /// - Parameter source: the module that published it; nobody for the runtime.
  init?(_ type: String, _ payload: [String: String], from source: String?) {
    switch (type, source) {
    case (Self.connectionType, RetailCatalogue.jamf):
      guard let state = payload["state"], !state.isBlank else { return nil }
      self = .connection(
        RetailState.Connection(
          state: state.plain(limit: Self.longestWord),
          server: payload["server"].flatMap { $0.isBlank ? nil : $0.plain(limit: Self.longestWord) },
          since: payload["since"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }))
    case (Self.pendingType, RetailCatalogue.support):
      guard let count = payload["count"].flatMap({ Int($0) }), count >= 0 else { return nil }
      self = .pendingCommands(count)
    case (Self.changedType, RetailCatalogue.diagnostics): self = .diagnosticsChanged
    case (_, nil):
      guard type.hasPrefix(Self.lifecycle), let moduleID = payload["moduleID"],
        let presence = RetailState.Presence(lifecycle: type.dropFirst(Self.lifecycle.count))
      else { return nil }
      self = .presence(presence, moduleID: moduleID)
    default: return nil
    }
  }
}

extension RetailState.Presence {
  /// What an event of the runtime says; nothing for events of roles.
  fileprivate init?(lifecycle name: Substring) {
    switch name {
    case "activated", "replaced": self = .active
    case "deactivated": self = .inactive
    case "ended": self = .ended
    default: return nil
    }
  }
}
