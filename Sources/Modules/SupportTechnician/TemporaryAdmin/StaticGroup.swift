internal import ForsettiModuleKit

/// Who is in a static group of computers.
struct StaticGroup: Sendable, Equatable {
  var name: String
  /// Sorted.
  var members: [Int64]

  /// Computers of one group at most.
  private static let limit = 20_000

  /// Reads an answer of Jamf's, whose IDs are numbers or texts.
  /// - Throws: where it does not say who is in the group. Writing would then take everybody out of it.
  init(_ answer: JSONValue) throws(JamfFailure) {
    guard let name = answer["name"]?.stringValue, !name.isBlank else {
      throw .unreadable("a static group without a name came.")
    }
    guard let list = answer["assignments"]?["computerIds"]?.elements ?? answer["assignments"]?.elements,
      list.count <= Self.limit
    else { throw .unreadable("it is not said who is in the group; nothing was changed.") }
    let members = list.map { $0.integerValue ?? $0.stringValue.flatMap { Int64($0) } }
    guard !members.contains(nil) else { throw .unreadable("a member of the group has no ID.") }
    self.name = name
    self.members = Set(members.compactMap { $0 }).sorted()
  }

  /// With a computer; nothing where it is in it already, and nothing has to be written.
  func adding(_ computer: Int64) -> StaticGroup? {
    guard !members.contains(computer) else { return nil }
    var group = self
    group.members = (members + [computer]).sorted()
    return group
  }

  /// Without a computer; nothing where it is not in it.
  func removing(_ computer: Int64) -> StaticGroup? {
    guard members.contains(computer) else { return nil }
    var group = self
    group.members.removeAll { $0 == computer }
    return group
  }

  /// What is written. The name is the server's own.
  var body: JSONValue {
    .object([
      ("name", .string(name)),
      ("assignments", .object([("computerIds", .array(members.map { .integer($0) }))])),
    ])
  }

  /// Where it is read and written.
  static func path(_ id: String) -> String { "/api/v2/computer-groups/static-groups/\(id)" }
}

/// Changes who is in static groups: reads, changes one member, writes. A failed read never writes.
///
/// One change after the other: a list is written whole, so two at once would undo each other.
@MainActor
final class StaticGroupEditor {
  private let jamf: JamfClient
  /// Ends with the change that was asked for last.
  private var last: Task<Void, Never>?

  init(jamf: JamfClient) { self.jamf = jamf }

  func add(_ computer: String, to group: String) async throws(JamfFailure) {
    try await change(group, computer) { $0.adding($1) }
  }

  func remove(_ computer: String, from group: String) async throws(JamfFailure) {
    try await change(group, computer) { $0.removing($1) }
  }

  private func change(
    _ group: String, _ computer: String, _ body: @escaping @MainActor (StaticGroup, Int64) -> StaticGroup?
  ) async throws(JamfFailure) {
    let before = last
    let task = Task { () async -> Result<Void, JamfFailure> in
      await before?.value
      do throws(JamfFailure) { return .success(try await self.write(group, computer, body)) } catch {
        return .failure(error)
      }
    }
    last = Task { _ = await task.value }
    try await task.value.get()
  }

  private func write(
    _ group: String, _ computer: String, _ body: @MainActor (StaticGroup, Int64) -> StaticGroup?
  ) async throws(JamfFailure) {
    guard let number = Int64(computer) else {
      throw .invalidRequest("\(computer.quoted()) is no computer's ID.")
    }
    let now = try StaticGroup(try await jamf.get(StaticGroup.path(group)))
    guard let changed = body(now, number) else { return }
    _ = try await jamf.send("PUT", StaticGroup.path(group), json: changed.body)
  }
}
