internal import ForsettiModuleKit

/// The PreStage that a device came by, as one text: `Enrolled - Standard Mac (ID: 12)`.
enum PrestageText {
  /// Puts the parts together; those that are missing are left out, and nothing is made of none.
  static func make(status: String?, name: String?, id: String?) -> String? {
    let parts = [name, id.map { "(ID: \($0))" }].compactMap { $0 }.joined(separator: " ")
    let all = [status, parts.isEmpty ? nil : parts].compactMap { $0 }
    return all.isEmpty ? nil : all.joined(separator: " - ")
  }
}
