import ForsettiCore

extension TopRates {
  /// For programs: rates are of a second, times microseconds, a processor is 1.
  var json: JSONValue {
    .record([
      "state": .string(state), "uptimeMilliseconds": .integer(uptimeMilliseconds),
      "memoryBytes": .count(memoryBytes), "processor": processor.map { .number($0) } ?? .null,
      "modules": .array(modules.map(\.json)),
    ])
  }
}

extension TopRates.Module {
  fileprivate var json: JSONValue {
    .record([
      "moduleID": .string(moduleID), "state": .string(state), "calls": .number(calls),
      "failures": .number(failures), "events": .number(events), "bytes": .number(bytes),
      "median": .count(median), "p99": .count(p99), "memoryBytes": .count(memoryBytes),
      "processor": processor.map { .number($0) } ?? .null, "restarts": .integer(restarts),
    ])
  }
}
