import ForsettiCore

/// What `accept` shows before, and says after, a registration is accepted.
struct AcceptReport: Equatable {
  /// How the manifest stands to the registration.
  enum Standing: Equatable {
    /// Nothing is registered yet.
    case first
    /// The registration says otherwise in these fields.
    case drift([Change])
    /// They agree; there is nothing to accept.
    case current
  }

  /// One field that differs.
  struct Change: Equatable {
    var field: String
    var registered: String
    var present: String

    /// For programs.
    var json: JSONValue {
      .record(["field": .string(field), "registered": .string(registered), "present": .string(present)])
    }
  }

  var moduleID: String
  var sha256: String
  /// The line that accepts it, with the options this one was given.
  var command: String
  var standing: Standing
  /// Whether its code comes from elsewhere now, so that `--data` must say what becomes of its data.
  var isOriginChanged = false
  var isAccepted: Bool

  /// For people.
  func text(_ style: TextStyle) -> String {
    var text = style.bold(escaped(moduleID)) + "\n"
    switch standing {
    case .first: text += "  not registered yet: this would be its first activation\n"
    case .current: text += "  agrees with its registration; nothing to accept\n"
    case .drift(let changes):
      for change in changes {
        text += "  \(escaped(change.field))\n"
        text += style.red("    - \(escaped(change.registered))") + "\n"
        text += style.green("    + \(escaped(change.present))") + "\n"
      }
    }
    text += "  sha256 \(sha256)\n"
    if isAccepted {
      text += "\(style.pass) accepted\n"
    } else if standing != .current {
      if isOriginChanged {
        text += "\nIts code comes from elsewhere now. To accept it and give it the data: "
        text += "\(escaped(command)) --data keep\nTo accept it and delete the data: "
        text += "\(escaped(command)) --data erase\n"
      } else {
        text += "\nTo accept it: \(escaped(command))\n"
      }
    }
    return text
  }

  /// For programs.
  var json: JSONValue {
    let (name, changes): (String, [Change]) =
      switch standing {
      case .first: ("first", [])
      case .current: ("current", [])
      case .drift(let changes): ("drift", changes)
      }
    return .record([
      "moduleID": .string(moduleID), "sha256": .string(sha256), "standing": .string(name),
      "changes": .array(
        changes.map {
          $0.json
        }),
      "originChanged": .bool(isOriginChanged), "accepted": .bool(isAccepted),
    ])
  }
}
