import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// What `events` asks.
struct EventsRequest: ControlRecord {
  /// An exact type, `prefix.*` or `*`.
  var pattern = "*"

  init() {}

  init(_ pattern: String?) { self.pattern = pattern ?? "*" }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("type", &pattern)
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
  /// Each event of a type from now on, until it is taken back. Nobody waits for the client: what it does not read in time
  /// is counted as lost.
  static let events = ControlOperation<EventsRequest, EventItem, NoValue>("events", .read) {
    (request, call) throws(ControlFailure) in
    guard (try? EventPattern(request.pattern)) != nil else {
      throw ControlFailure(
        .invalidRequest, .usage, "type: an event type is meant, \"prefix.*\", or \"*\" for all")
    }
    let stream = call.stream
    let token = call.context.bootstrap.runtime.bus.subscribe(to: request.pattern) {
      stream.offer(EventItem($0))
    }
    // Nothing ever comes of it but the end, with the call's own.
    let (end, continuation) = AsyncStream<Void>.makeStream()
    defer {
      token.cancel()
      continuation.finish()
    }
    for await _ in end {}
    return NoValue()
  }
}
