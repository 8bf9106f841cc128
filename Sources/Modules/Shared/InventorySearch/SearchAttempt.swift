/// One way of asking for a list. What Jamf Pro refuses is asked for in a simpler way, or of an older version of its API.
struct SearchAttempt: Sendable, Hashable {
  enum Sections: Sendable, Hashable {
    case named
    /// By the names that older versions of Jamf Pro have for them.
    case older
    /// Not at all: Jamf Pro sends what it likes.
    case none
  }

  enum Text: Sendable, Hashable {
    case anywhere
    /// The text is all of the value.
    case exact
    /// As before, in those fields that every version can filter by.
    case basic
  }

  /// The place in the route's versions.
  var version = 0
  var sections = Sections.named
  /// Nothing for a query that has no free text.
  var text: Text?

  /// The next way after a refusal of the first page; nothing where no other way can go better.
  func next(after failure: JamfFailure, on route: SearchRoute) -> SearchAttempt? {
    switch failure {
    case .invalidRequest(let message):
      if message.lowercased().contains("section"), sections != .none {
        return with { $0.sections = sections == .named && !route.olderSections.isEmpty ? .older : .none }
      }
      switch text {
      case .anywhere: return with { $0.text = .exact }
      case .exact: return with { $0.text = .basic }
      case .basic, nil: return nextVersion(on: route)
      }
    case .forbidden:
      guard sections != .none else { return nextVersion(on: route) }
      return with {
        $0.sections = .none
        if text != nil { $0.text = .exact }
      }
    case .notFound: return nextVersion(on: route)
    default: return nil
    }
  }

  private func nextVersion(on route: SearchRoute) -> SearchAttempt? {
    guard version + 1 < route.versions.count else { return nil }
    return SearchAttempt(version: version + 1, text: text == nil ? nil : .anywhere)
  }

  private func with(_ change: (inout SearchAttempt) -> Void) -> SearchAttempt {
    var changed = self
    change(&changed)
    return changed
  }

  /// Whether everything was asked for as it was meant; otherwise the view says what may be missing.
  var note: String? {
    var notes: [String] = []
    if version > 0 { notes.append("an older version of Jamf Pro's API answered") }
    switch text {
    case .exact: notes.append("only values that are exactly this text were looked for")
    case .basic: notes.append("only the main fields were searched, for exactly this text")
    case .anywhere, nil: break
    }
    if sections == .none {
      notes.append("Jamf Pro refused the sections, so columns may be empty and a query may find less")
    }
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }
}
