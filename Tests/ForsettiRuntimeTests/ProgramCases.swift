import ForsettiCore
import ForsettiHostileSet
import Glibc

@testable import ForsettiRuntime

extension ProgramCase {
  static let ordinary: [ProgramCase] = [
    ProgramCase("print", .publishes("printed"), says: "ünïcode, and · 3 · more"),
    ProgramCase("print_unflushed", .publishes("printed"), says: "left in the buffer until exit"),
    ProgramCase("print_megabyte", .publishes("printed")),
    ProgramCase("random", .publishes(nil)),
    ProgramCase("array_growth", .publishes("209715200 bytes, last 26214399")),
    ProgramCase("memory_churn", .publishes("40100")),
    ProgramCase("realloc", .publishes("grown and shrunk")),
    ProgramCase("allocation_refused_gently", .publishes("true")),
    ProgramCase("dictionary", .publishes("5000 950840")),
    ProgramCase("string_unicode", .publishes("10000 11000 15000")),
    ProgramCase("sort", .publishes("0 1000002")),
    ProgramCase("deep_recursion", .publishes("40000")),
    ProgramCase("regex_stdlib", .publishes("a:1 bc:22 def:333")),
    ProgramCase("sleep", .publishes("slept")),
    ProgramCase("clocks", .publishes("true false")),
    ProgramCase("environment", .publishes("true true")),
    ProgramCase("process_id", .publishes("true No such file or directory")),
    ProgramCase("mutex", .publishes("1000")),
    ProgramCase("keypath_and_mirror", .publishes("two [\"left\", \"right\"]")),
    ProgramCase("errors_thrown", .publishes("Small")),
    ProgramCase("throws_in_start", .startFails("refused on purpose")),
    ProgramCase("uuid", .publishes(nil)),
    ProgramCase("data_growth", .publishes("209715200 bytes, last 165")),
    ProgramCase("date_now", .publishes("true")),
    ProgramCase("date_text", .publishes("1970-01-01 00:00:00 +0000")),
    ProgramCase("date_format", .publishes("1970-01-02T00:00:00Z 2 Jan 1970 at 12:00\u{202f}AM")),
    ProgramCase("date_formatter", .publishes("1970-01-02 00:00:00 GMT")),
    ProgramCase("calendar", .publishes("2 0")),
    ProgramCase(
      "json_encode",
      .publishes(
        #"{"id":"01020304-0506-0708-090A-0B0C0D0E0F10","name":"Gerät","score":0.5,"tags":["a","b"],"#
          + #""when":"1970-01-01T00:00:00Z"}"#)),
    ProgramCase("json_decode", .publishes("1x,2y")),
    ProgramCase("json_serialization", .publishes("1")),
    ProgramCase("regex_foundation", .publishes("3")),
    ProgramCase("string_format", .publishes("00042|2.500|x 1,234.5")),
    ProgramCase("string_tools", .publishes("one|2 |three")),
    ProgramCase("base64_and_url", .publishes("Zm9yc2V0dGk= /a b c=d")),
    ProgramCase("decimal", .publishes("0.3")),
    ProgramCase("property_list", .publishes("2")),
    ProgramCase("locale_and_compare", .publishes("true false")),
    ProgramCase("thread_sleep", .publishes("slept")),
    ProgramCase("task_group", .publishes("500500")),
    ProgramCase("task_sleep", .publishes("slept")),
    ProgramCase("sleeping_group", .publishes("4950")),
    ProgramCase("actors", .publishes("1000")),
    ProgramCase("main_actor", .publishes("on the main actor")),
    ProgramCase("async_let", .publishes("2")),
    ProgramCase("async_stream", .publishes("5050")),
    ProgramCase("cancellation", .publishes("cancelled")),
    ProgramCase("detached_task", .publishes("detached")),
    ProgramCase("continuation", .publishes("resumed")),
  ]

  /// Faults of a program's own, from the table that `crash-test` goes by too.
  static let crashing = HostileSuite.crashes.compactMap(ProgramCase.init)

  /// What reaches for more, from the same table.
  static let forbidden = HostileSuite.systemCalls.compactMap(ProgramCase.init)

  /// A case of the suite as a program that its module runs in its start; `nil` where that alone is not the case.
  private init?(_ hostileCase: HostileCase) {
    let end: End
    switch hostileCase.expected {
    case .survives(let text): end = .publishes(text)
    case .ends(let cause):
      guard let expected = End(cause) else { return nil }
      end = expected
    case .refused: return nil
    }
    self.init(hostileCase.program, end, says: hostileCase.lastWords)
  }
}

extension ProgramCase.End {
  fileprivate init?(_ cause: HostileCause) {
    switch cause {
    case .violation(let syscall, let path): self = .violates(syscall, path: path)
    // Ended in the kernel, before the supervisor hears of them.
    case .foreignArchitecture: self = .ends(.signalled(SIGSYS), .violation(.foreignArchitecture))
    case .crashed(let signal): self = .ends(.signalled(signal), .crashed(signal: signal))
    case .aborted: self = .ends(.signalled(SIGABRT), .aborted)
    case .outOfMemory: self = .ends(.signalled(SIGABRT), .outOfMemory)
    case .exitedEarly(let code): self = .ends(.exited(code: code), .exitedEarly(code: code))
    case .protocolError, .stopForced, .heartbeatLost, .cpuLimit: return nil
    }
  }
}
