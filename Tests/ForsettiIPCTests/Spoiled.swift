import ForsettiIPC

/// A value with one key too many or too few somewhere in it.
struct Spoiled {
  var value: CBORValue
  /// The key that is gone; `nil` where one too many is there.
  var missing: String?
  /// The key under which the map stands that was spoiled.
  var parent: String
  /// Whether an array is around the map.
  var isInArray = false

  /// Whether the map is one of free keys.
  var isInDictionary: Bool { ["metadata", "payload", "parameters", "payload of publish"].contains(parent) }

  /// Whether the key that is gone may be absent.
  var isHarmless: Bool {
    let optional: Set = [
      "iapProductID", "defaultModuleRole", "maxForsettiVersion", "prerelease", "description", "layoutID",
      "controlSchemeID", "ui", "themeMask", "overlaySchema", "systemImageName", "payload", "parameters",
      "userID", "executable",
    ]
    // The version of `describe` may be absent, that of `locked` may not.
    if missing == "version", case .map(let rest) = value {
      return rest.contains { $0.key == .text("isUIModule") }
    }
    return missing.map { optional.contains($0) || isInDictionary } ?? false
  }
}

extension CBORValue {
  /// Every value that differs from this one in one map, by a key removed or an unknown key added.
  func spoiled(under parent: String) -> [Spoiled] {
    switch self {
    case .map(let members):
      let added = CBORValue.map(members + [CBORMember(.text("zz unknown zz"), .null)])
      var result = [Spoiled(value: added, missing: nil, parent: parent)]
      for index in members.indices {
        guard case .text(let key) = members[index].key else { continue }
        var fewer = members
        fewer.remove(at: index)
        result.append(Spoiled(value: .map(fewer), missing: key, parent: parent))
        for inner in members[index].value.spoiled(under: key) {
          var changed = members
          changed[index].value = inner.value
          result.append(
            Spoiled(
              value: .map(changed), missing: inner.missing, parent: inner.parent, isInArray: inner.isInArray))
        }
      }
      return result
    case .array(let items):
      return items.indices.flatMap { index in
        items[index].spoiled(under: parent).map { inner in
          var changed = items
          changed[index] = inner.value
          return Spoiled(
            value: .array(changed), missing: inner.missing, parent: inner.parent, isInArray: true)
        }
      }
    default: return []
    }
  }
}
