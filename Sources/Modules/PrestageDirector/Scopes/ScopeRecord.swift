internal import ForsettiModuleKit

/// What the journal keeps of a job under way: enough to go on with it after a crash.
struct ScopeRecord: Sendable, Equatable {
  let job: ScopeJob
  /// Milliseconds since 1970.
  let startedAt: Int64
  var course = ScopeRun.Course.forward
  /// What turned it round.
  var cause: String?
  /// Whether the job has come to its end. It is never taken up again.
  private(set) var isOver = false
  /// Devices that were seen out of where they were.
  var removed: Set<String> = []

  init(job: ScopeJob, startedAt: Int64) {
    self.job = job
    self.startedAt = startedAt
  }

  /// The same job on its way there or back. A removal has no way back, and ends where it is.
  func heading(_ course: ScopeRun.Course) -> ScopeRecord {
    var record = self
    record.course = course == .back && job.destination == nil ? .stopped : course
    record.cause = course == .forward ? nil : cause ?? "An operator turned it round."
    return record
  }

  /// The same job at its end.
  var over: ScopeRecord {
    var record = self
    record.isOver = true
    return record
  }

  private static let version: Int64 = 1
  private static let limits = JSONLimits(
    bytes: 1 << 20, depth: 8, arrayElements: SerialNumbers.limit)
}

extension ScopeRecord {
  /// As it is kept in storage.
  var text: String {
    JSONWriter.text(
      .object(omittingAbsent: [
        ("version", .integer(Self.version)), ("startedAt", .integer(startedAt)),
        ("course", .string(course.rawValue)), ("cause", cause.map { .string($0) }),
        ("isOver", .bool(isOver)), ("removed", .strings(removed.sorted())), ("job", job.json),
      ]))
  }

  /// Reads what was kept.
  init(text: String) throws(JSONFault) {
    let root = JSONCursor(try JSONParser.parse(Array(text.utf8), limits: Self.limits).root)
    _ = try root.required("version").integer(in: Self.version...Self.version)
    job = try ScopeJob(root.required("job"))
    startedAt = try root.required("startedAt").integer(in: 0...Int64.max)
    course = try root.required("course").oneOf(ScopeRun.Course.self, called: "a course")
    cause = try root.optional("cause")?.string()
    isOver = try root.optional("isOver")?.bool() ?? false
    removed = Set(try root.required("removed").strings()).intersection(job.serials)
  }
}
