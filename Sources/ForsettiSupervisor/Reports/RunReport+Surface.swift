import ForsettiCore
import ForsettiRuntime

// What is on the host's surface, in both forms of the report.
extension RunReport {
  /// One line for people; none where nothing is shown.
  var surfaceLine: String {
    let injections = surface.injectionsBySlot.values.reduce(0) { $0 + $1.count }
    let overlays = surface.overlaySchema
    var parts: [String] = []
    func add(_ count: Int, _ noun: String, _ more: String = "") {
      if count > 0 { parts.append(counted(count, noun) + more) }
    }
    add(surface.toolbarItems.count, "toolbar item")
    add(injections, "view", " in \(counted(surface.injectionsBySlot.count, "slot"))")
    add(overlays?.pointers.count ?? 0, "pointer")
    add(overlays?.routes.count ?? 0, "route")
    if surface.themeMask != nil { parts.append("a theme mask") }
    return parts.isEmpty ? "" : "\n  On the surface: \(parts.joined(separator: ", "))\n"
  }

  /// One object for programs: each part names its contributor, `overlays` are the composite of all schemas.
  static func surfaceJSON(_ surface: UISurface) -> JSONValue {
    .record([
      "toolbar": .array(surface.toolbarItems.map { attributed($0.item.jsonValue, to: $0.moduleID) }),
      "injections": .object(
        surface.injectionsBySlot.sorted { $0.key < $1.key }.map { slot, injections in
          (
            slot,
            .array(injections.map { attributed($0.injection.jsonValue, to: $0.moduleID) })
          )
        }),
      "overlays": surface.overlaySchema?.jsonValue ?? .null,
      "themeMask": surface.themeMask?.jsonValue ?? .null,
    ])
  }

  private static func attributed(_ value: JSONValue, to moduleID: String) -> JSONValue {
    guard case .object(let members) = value.content else { return value }
    return JSONValue(.object([JSONMember(key: "moduleID", value: .string(moduleID))] + members))
  }
}
