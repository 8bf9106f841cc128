import ForsettiCore
import ForsettiIPC

/// What the pages show of a module's figures; the supervisor tells more than that, and it is not passed on.
struct FigureLine: ControlRecord, Equatable {
  var moduleID = ""
  var state = ""
  var calls = 0
  var failedCalls = 0
  var events = 0
  var restarts = 0
  /// Of its process; absent without one, and where none was looked at.
  var memoryBytes: Int?

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("moduleID", &moduleID)
    try members("state", &state)
    try members("calls", &calls)
    try members("failedCalls", &failedCalls)
    try members("events", &events)
    try members("restarts", &restarts)
    try members("memoryBytes", &memoryBytes)
  }

  /// Whether a page that shows this one needs no other. A process that comes or goes changes the share that every other one
  /// has of their common pages by a little, so less than a sixty-fourth of its memory is no change.
  func shows(_ other: FigureLine) -> Bool {
    var other = other
    if let mine = memoryBytes, let theirs = other.memoryBytes,
      (mine &- theirs).magnitude < mine.magnitude / 64
    {
      other.memoryBytes = mine
    }
    return self == other
  }
}

/// What of the figures a page does not know yet, as a value.
struct FigureChanges {
  private var known: [String: FigureLine] = [:]
  private var isFirst = true

  /// The supervisor's own figures, the modules that changed, and the IDs of those that are gone. The first time that is all
  /// of them, and `isWhole`: a page may know more from a stream before this one.
  mutating func take(_ answer: JSONValue, _ lines: [FigureLine]) -> JSONValue {
    var gone = Set(known.keys)
    var changed: [JSONValue] = []
    for line in lines {
      gone.remove(line.moduleID)
      if let earlier = known[line.moduleID], earlier.shows(line) { continue }
      known[line.moduleID] = line
      changed.append(line.json)
    }
    for id in gone { known[id] = nil }
    defer { isFirst = false }
    let members = (answer.members ?? []).filter { $0.key != "modules" }
    return JSONValue(
      .object(
        members + [
          JSONMember(key: "modules", value: .array(changed)),
          JSONMember(key: "gone", value: .strings(gone.sorted())),
          JSONMember(key: "isWhole", value: .bool(isFirst)),
        ]))
  }
}
