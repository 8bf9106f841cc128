internal import ForsettiModuleKit

/// Asks Jamf what became of commands.
@MainActor
struct SupportFollower {
  let jamf: JamfClient

  /// Time between two questions.
  static let interval = Duration.seconds(10)
  /// Commands of one question: its filter stays far below what a server takes.
  static let batch = 20

  /// The states of commands by UUID, for those that Jamf knows.
  func states(of uuids: [String]) async throws(JamfFailure) -> [String: CommandRecord] {
    var found: [String: CommandRecord] = [:]
    for start in stride(from: 0, to: uuids.count, by: Self.batch) {
      let some = uuids[start..<min(start + Self.batch, uuids.count)]
      let list = some.map { RSQL.quoted($0) }.joined(separator: ",")
      let answer = try await jamf.get(
        "/api/v2/mdm/commands",
        [("page", "0"), ("page-size", "\(Self.batch)"), ("filter", "uuid=in=(\(list))")])
      for record in CommandHistory(answer).records {
        if let uuid = record.uuid { found[uuid] = record }
      }
    }
    return found
  }
}
