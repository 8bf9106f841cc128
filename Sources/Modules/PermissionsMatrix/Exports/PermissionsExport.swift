internal import ForsettiModuleKit

/// The matrix as a file.
struct PermissionsExport {
  enum Format: String, CaseIterable, Sendable { case csv, json, md }

  let rows: [PermissionMatrix.Row]
  let assets: Set<JamfAsset>
  let held: Set<String>?

  /// As documents that fit into an export each; one as a rule.
  func documents(_ format: Format) -> [[UInt8]] {
    switch format {
    case .csv: csv
    case .json: [JSONWriter.bytes(json, style: .pretty) + "\n".utf8]
    case .md: markdown.map { Array($0.utf8) }
    }
  }

  private var csv: [[UInt8]] {
    var writer = CSVWriter(columns: [
      "Module", "Action", "ID", "All of", "Any of", "Optional", "Calls", "Verdict",
    ])
    for row in rows {
      let needed = JamfRequirement(row.action, for: assets)
      writer.add([
        row.moduleName, row.action.title, row.action.id, PermissionWords.list(needed.allOf),
        needed.anyOf.map(PermissionWords.choice).joined(separator: "; "),
        PermissionWords.list(needed.optional),
        calls(row.action).joined(separator: "; "), PermissionWords.verdict(needed.verdict(held: held)),
      ])
    }
    return writer.documents
  }

  private var json: JSONValue {
    .object([
      ("format", .integer(1)), ("checked", .bool(held != nil)),
      (
        "actions",
        .array(
          rows.map { row in
            let needed = JamfRequirement(row.action, for: assets)
            return .object([
              ("id", .string(row.action.id)), ("title", .string(row.action.title)),
              ("module", .string(row.moduleID)),
              ("allOf", names(needed.allOf)),
              ("anyOf", .array(needed.anyOf.map { .array($0.map(names)) })),
              ("optional", names(needed.optional)),
              ("calls", .strings(calls(row.action))),
              ("verdict", .string(PermissionWords.verdict(needed.verdict(held: held)))),
              ("graph", PermissionGraph(row.action, for: assets, held: held).json),
            ])
          })
      ),
    ])
  }

  private var markdown: [String] {
    RecordMarkdown.documents(
      rows.map { row in
        let needed = JamfRequirement(row.action, for: assets)
        return SharedRecord(
          title: "\(row.moduleName): \(row.action.title)",
          fields: [
            ("All of", PermissionWords.list(needed.allOf)),
            ("Any of", needed.anyOf.map(PermissionWords.choice).joined(separator: "; ")),
            ("Optional", PermissionWords.list(needed.optional)),
            ("Calls", calls(row.action).joined(separator: "; ")),
            ("Verdict", PermissionWords.verdict(needed.verdict(held: held))),
          ])
      })
  }

  private func calls(_ action: JamfAction) -> [String] {
    var calls: [String] = []
    for step in action.steps where !step.assets.isDisjoint(with: assets) {
      for endpoint in step.endpoints {
        let call = "\(endpoint.method) \(endpoint.pattern)"
        if !calls.contains(call) { calls.append(call) }
      }
    }
    return calls
  }

  private func names(_ privileges: [JamfPrivilege]) -> JSONValue { .strings(privileges.map(\.rawValue)) }
}

/// Requirements in words.
enum PermissionWords {
  static func list(_ privileges: [JamfPrivilege]) -> String {
    privileges.map(\.rawValue).joined(separator: ", ")
  }

  /// "A, or B with C".
  static func choice(_ sets: [[JamfPrivilege]]) -> String {
    sets.map { $0.map(\.rawValue).joined(separator: " with ") }.joined(separator: ", or ")
  }

  static func verdict(_ verdict: JamfVerdict) -> String {
    switch verdict {
    case .unchecked: "not checked"
    case .allowed: "allowed"
    case .limited(let less): "allowed, with less to see: \(list(less)) is missing"
    case .refused(let missing, let unmet):
      "refused: "
        + ((missing.isEmpty ? [] : ["\(list(missing)) missing"])
        + unmet.map { "one of \(choice($0)) missing" })
        .joined(separator: "; ")
    }
  }
}
