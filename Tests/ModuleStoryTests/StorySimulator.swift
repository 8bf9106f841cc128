import ForsettiCore
import ForsettiTestKit
import Foundation

/// One request that the made-up server has answered.
struct StoryRequest: Sendable, Equatable {
  var method: String
  var path: String
  /// As it came, escaped.
  var query: String
  var status: Int
}

/// The made-up Jamf Pro server, in a process of its own.
final class StorySimulator: Sendable {
  /// What can be asked of it for tests alone failed.
  struct Fault: Error { var what: String }

  private let process: SupervisorProcess
  /// Where it listens.
  let port: UInt16

  init(computers: Int, mobileDevices: Int, unboxed: Int) async throws {
    process = try SupervisorProcess(
      [
        "--port", "0", "--computers", "\(computers)", "--mobile-devices", "\(mobileDevices)", "--unboxed",
        "\(unboxed)",
      ],
      executable: Product.jamfSimulator)
    let line = await process.output(containing: "\n")
    guard let port = line.firstMatch(of: #/http:\/\/127\.0\.0\.1:(\d+)/#).flatMap({ UInt16($0.1) }) else {
      throw Fault(what: "the simulator said \(line.quoted())")
    }
    self.port = port
  }

  /// Its address, as an operator enters it.
  var address: String { "http://127.0.0.1:\(port)" }

  /// Another fault schedule from now on (docs/jamf-simulator.md): the rules alone.
  func setFaults(_ rules: String) throws { try ask("PUT", "faults", #"{"faults": \#(rules)}"#) }

  /// Moves its time on.
  func advanceClock(seconds: Int) throws { try ask("POST", "clock?seconds=\(seconds)") }

  /// The requests since the start, or since they were forgotten.
  func requests() throws -> [StoryRequest] {
    let body = Array(try ask("GET", "requests").utf8)
    let limits = JSONLimits(bytes: body.count, depth: 8, stringBytes: body.count, arrayElements: 10_000)
    return (try JSONParser.parse(body, limits: limits).root["requests"]?.elements ?? []).map {
      StoryRequest(
        method: $0["method"]?.stringValue ?? "", path: $0["path"]?.stringValue ?? "",
        query: $0["query"]?.stringValue ?? "", status: Int($0["status"]?.integerValue ?? 0))
    }
  }

  /// Forgets the requests so far.
  func forgetRequests() throws { try ask("DELETE", "requests") }

  /// Ends it; a server that fails at its end fails the story.
  func end() async throws {
    process.send(SIGTERM)
    let end = await process.end()
    guard end.status == 0 else { throw Fault(what: "the simulator ended with \(end.status): \(end.errors)") }
  }

  /// Ends it at once.
  func kill() { process.send(SIGKILL) }

  @discardableResult
  private func ask(_ method: String, _ what: String, _ body: String = "") throws -> String {
    guard let answer = LoopbackHTTP(port: port).exchange(method, "/simulator/\(what)", body: body) else {
      throw Fault(what: "the simulator does not answer")
    }
    guard let status = answer.status, 200..<300 ~= status else {
      throw Fault(what: "\(method) \(what): \(answer.body)")
    }
    return answer.body
  }
}
