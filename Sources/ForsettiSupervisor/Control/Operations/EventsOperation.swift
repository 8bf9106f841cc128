import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// What `events` asks.
struct EventsRequest: ControlRecord {
  /// An exact type, `prefix.*` or `*`.
  var pattern = "*"
  /// Several of them, in the place of `type`; an event that more than one of them names comes once.
  var patterns: [String] = []

  /// Patterns of one request at most.
  static let mostPatterns = 64

  init() {}

  init(_ pattern: String?) { self.pattern = pattern ?? "*" }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("type", &pattern)
    try members("types", &patterns)
  }

  /// What is asked for, without what another pattern covers: any event is matched by one of them at most.
  var distinct: [String] {
    let all = Set(patterns.isEmpty ? [pattern] : patterns)
    return all.filter { one in
      !all.contains { $0 != one && $0.hasSuffix("*") && one.hasPrefix($0.dropLast()) }
    }.sorted()
  }
}

/// One event, as far as its head tells: what is in it is between modules.
struct EventItem: ControlRecord, Equatable {
  /// Milliseconds since 1970.
  var time = 0
  var type = ""
  /// The publisher; absent for the runtime itself.
  var moduleID: String?

  init() {}

  init(_ event: ForsettiEvent) {
    time = Int(event.timestamp)
    type = event.type
    moduleID = event.sourceModuleID
  }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("time", &time)
    try members("type", &type)
    try members("module", &moduleID)
  }

  /// One line for people.
  func line(_ style: TextStyle) -> String {
    "\(style.dim(timestampText(Int64(time))))  \(escaped(type))  "
      + style.dim(escaped(moduleID ?? "forsetti")) + "\n"
  }
}

extension ControlOperations {
  /// Each event of these types from now on, until it is taken back. Nobody waits for the client: what it does not read in time
  /// is counted as lost.
  static let events = ControlOperation<EventsRequest, EventItem, NoValue>("events", .read) {
    (request, call) throws(ControlFailure) in
    let patterns = request.distinct
    guard request.patterns.count <= EventsRequest.mostPatterns,
      patterns.allSatisfy({ (try? EventPattern($0)) != nil })
    else {
      throw ControlFailure(
        .invalidRequest, .usage,
        "type: an event type is meant, \"prefix.*\", or \"*\" for all; types: \(EventsRequest.mostPatterns) at most"
      )
    }
    let stream = call.stream
    let bus = call.context.bootstrap.runtime.bus
    let tokens = patterns.map { pattern in bus.subscribe(to: pattern) { stream.offer(EventItem($0)) } }
    // Nothing ever comes of it but the end, with the call's own.
    let (end, continuation) = AsyncStream<Void>.makeStream()
    defer {
      for token in tokens { token.cancel() }
      continuation.finish()
    }
    for await _ in end {}
    return NoValue()
  }
}
