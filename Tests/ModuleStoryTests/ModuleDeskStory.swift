import ForsettiControlClient
import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiSupervisor

/// What an operator does with a module, and what comes of it: the real supervisor with all eleven modules, each locked in
/// its process, before the made-up Jamf Pro server.
///
///     @Suite(.timeLimit(.minutes(3))) struct ComputerSearchStory {
///       @Test("finds a computer") func story() async throws {
///         try await ModuleDeskStory.tell { story in
///           try story.act("computer-search", "search", ["query": "C02"])          // as a button or a form does
///           let view = try await story.until("computer-search") { $0.texts.contains("1 computer") }
///           #expect(try story.simulator.requests().contains { $0.path == "/api/v3/computers-inventory" })
///           try story.simulator.setFaults(#"[{"path": "/api/*", "times": 0, "fault": "html"}]"#)
///           try story.kill("computer-search")                                     // it comes back by itself
///         }
///       }
///     }
///
/// A module is meant by its ID or the end of it. `until` draws the view again whenever any event was published, so a
/// module that forgets to say `changed` is found by a story that never ends. Never sleep, never count seconds.
final class ModuleDeskStory: Sendable {
  /// What the server lets the account do.
  enum Account: String, Sendable {
    /// Everything; `reader` may read, and `nobody` may nothing.
    case demo, reader, nobody
  }

  /// What a story is told with.
  struct Setting: Sendable {
    var computers = 300
    var mobileDevices = 150
    /// Mobile devices in the first PreStage besides, which were never switched on.
    var unboxedMobileDevices = 0
    /// Whose credentials the operator enters; nobody's, where the story begins without any.
    var account: Account? = .demo
    /// What is different in the policy.
    var policy: @Sendable (JSONValue) -> JSONValue = { $0 }
  }

  /// A module as the supervisor has it.
  struct Module: Sendable {
    var moduleID: String
    /// `active`, `failed`, …
    var state: String
    /// Its process, while it has one.
    var pid: Int32?
  }

  /// What went otherwise than a story needs.
  struct Fault: Error { var what: String }

  let simulator: StorySimulator
  private let supervisor: SupervisorProcess
  private let events: StoryEvents
  /// Its folder lives as long as the story.
  private let scratch: Scratch

  /// Runs everything, tells the story, and ends everything: both must end well.
  static func tell(
    _ setting: Setting = Setting(), _ body: (ModuleDeskStory) async throws -> Void
  ) async throws {
    let simulator = try await StorySimulator(
      computers: setting.computers, mobileDevices: setting.mobileDevices,
      unboxed: setting.unboxedMobileDevices)
    let story: ModuleDeskStory
    do { story = try await ModuleDeskStory(setting, before: simulator) } catch {
      simulator.kill()
      throw error
    }
    do {
      try await story.listen()
      if let account = setting.account { try story.enterCredentials(of: account) }
      try await body(story)
    } catch {
      story.supervisor.send(SIGTERM)
      let end = await story.supervisor.end()
      simulator.kill()
      Issue.record("the supervisor said:\n\(end.errors.suffix(8_000))")
      throw error
    }
    story.supervisor.send(SIGTERM)
    let end = await story.supervisor.end()
    try await simulator.end()
    #expect(end.status == 0, "\(end.errors.suffix(8_000))")
  }

  private init(_ setting: Setting, before simulator: StorySimulator) async throws {
    self.simulator = simulator
    scratch = try Scratch()
    let policy = try scratch.write(
      "policy.json", try StoryPolicy.text(port: simulator.port, rewriting: setting.policy))
    supervisor = try SupervisorProcess([
      "run", "--policy", policy, "--manifests", Product.manifests, "--state", scratch("state"),
    ])
    let output = await supervisor.output(containing: "Running until")
    guard output.contains("Running until") else {
      throw Fault(what: "no boot: \(await supervisor.end().errors)")
    }
    events = try StoryEvents(folder: scratch("state/run"))
  }

  // MARK: What an operator does

  /// Presses a button of a module's view, or sends its form.
  func act(_ module: String, _ verb: String, _ payload: [String: String] = [:]) throws {
    let moduleID = try self.module(module).moduleID
    var request = PublishRequest()
    request.module = moduleID
    request.type = "\(moduleID).\(verb)"
    request.payload = payload
    _ = try ask(ControlOperations.publish, request)
  }

  /// Looks at a view.
  func render(_ view: String, _ parameters: [String: String] = [:]) throws -> JSONValue {
    var request = RenderQuery()
    request.view = view
    request.parameters = parameters
    return try ask(ControlOperations.render, request)?.tree ?? .null
  }

  /// Looks at a view until it shows what is wanted. A view that can't be drawn, for its module is gone, is looked at
  /// again when something has happened; one that was not drawn in time, at once: what it would show may be all that comes.
  @discardableResult
  func until(
    _ view: String, _ parameters: [String: String] = [:], _ isWanted: (JSONValue) -> Bool
  ) async throws -> JSONValue {
    var seen = "nothing"
    while true {
      let count = events.count
      do {
        let tree = try render(view, parameters)
        if isWanted(tree) { return tree }
        seen = "\(tree.texts)"
      } catch let failure as CommandFailure {
        seen = failure.message
        if failure.status == .temporaryFailure, !Task.isCancelled { continue }
      }
      try await untilMore(than: count, seen: "\(view) shows \(seen)")
    }
  }

  /// Returns once more than so many events came.
  /// - Parameter seen: what was seen last of what is waited for.
  private func untilMore(than count: Int, seen: String) async throws {
    guard await events.wait(after: count) else {
      throw Fault(what: "nothing more comes, \(count) events came; \(seen)")
    }
  }

  /// Enters credentials of the made-up server.
  func enterCredentials(of account: Account) throws {
    try setSecret(
      "jamf-credentials",
      [
        "server": simulator.address, "kind": "api-client", "account": "forsetti-\(account)",
        "secret": "forsetti-\(account)-secret",
      ])
  }

  /// Enters the values of a secret, as the host's own form does.
  func setSecret(_ secretID: String, _ values: [String: String]) throws {
    var request = SetSecretRequest()
    request.secretID = secretID
    request.values = values
    _ = try ask(ControlOperations.setSecret, request)
  }

  /// Asks the api role in the operator's own name, which no rule of a module limits.
  func api(_ method: String, _ path: String) throws -> (status: Int, body: JSONValue) {
    var request = CallRequest()
    request.role = "api"
    request.method = "request"
    request.parameters = .record(["method": .string(method), "path": .string(path)])
    let answer = try ask(ControlOperations.call, request)?.result ?? .null
    let body = Array((answer["body"]?.stringValue ?? "").utf8)
    let limits = JSONLimits(bytes: 1 << 20, stringBytes: 1 << 20, arrayElements: 10_000)
    return (
      Int(answer["status"]?.integerValue ?? 0),
      body.isEmpty ? .null : (try? JSONParser.parse(body, limits: limits).root) ?? .null
    )
  }

  /// What is said against something that must be refused.
  func refusal(_ body: () throws -> Void) throws -> String {
    do { try body() } catch let error as CommandFailure { return error.message }
    throw Fault(what: "it was not refused")
  }

  /// Every file below the state folder, with its bytes.
  func stateFiles() throws -> [(name: String, bytes: Data)] {
    let folder = scratch("state")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return names.compactMap { name in
      FileManager.default.contents(atPath: folder + "/" + name).map { (name, $0) }
    }
  }

  /// Runs a command of the supervisor's.
  func command(_ arguments: [String]) async throws -> SupervisorProcess.End {
    try await SupervisorProcess.run(arguments + ["--state", scratch("state")])
  }

  // MARK: What happens to modules

  /// What the supervisor knows of a module.
  func module(_ name: String) throws -> Module {
    var request = StatusRequest()
    request.module = name
    var found: Module?
    _ = try ask(ControlOperations.status, request) {
      found = Module(moduleID: $0.moduleID, state: $0.state, pid: $0.pid)
    }
    guard let found else { throw Fault(what: "there is no module \(name)") }
    return found
  }

  /// Kills a module's process, as the kernel may; the supervisor starts it again.
  func kill(_ module: String) throws {
    guard let process = try self.module(module).pid else {
      throw Fault(what: "\(module) has no process")
    }
    Foundation.kill(process, SIGKILL)
  }

  /// The most memory that a module's process has held at once, bytes (VmHWM of proc(5)).
  func peakMemory(of module: String) throws -> Int {
    guard let process = try self.module(module).pid,
      let line = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        .firstMatch(of: #/VmHWM:\s+(\d+) kB/#), let kibibytes = Int(line.1)
    else { throw Fault(what: "\(module) has no process that says so") }
    return kibibytes << 10
  }

  /// Returns once a module has another process than this one.
  func untilRestarted(_ module: String, from process: Int32?) async throws {
    while true {
      let count = events.count
      let now = try self.module(module)
      // One whose end is not known yet is active and has none.
      if now.state == "active", let pid = now.pid, pid != process { return }
      try await untilMore(than: count, seen: "\(now)")
    }
  }

  /// Returns once an event of this type was published.
  func untilEvent(_ type: String) async throws {
    while true {
      let count = events.count
      if events.heard(type) { return }
      try await untilMore(than: count, seen: "no \(type)")
    }
  }

  // MARK: The control socket

  /// Publishes until the listener hears it: then nothing that follows is missed.
  private func listen() async throws {
    let scanner = try module("service.scanner").moduleID
    while !events.heard("\(scanner).listening") {
      try act("service.scanner", "listening")
      await Task.yield()
      try Task.checkCancellation()
    }
  }

  private func ask<Request, Item, Answer>(
    _ operation: ControlOperation<Request, Item, Answer>, _ request: Request,
    item: (Item) -> Void = { _ in }
  ) throws -> Answer? {
    var client = ControlClient(try ControlChannel(folder: scratch("state/run")))
    return try client.call(operation, request, item: { (value) throws(CommandFailure) in item(value) })
  }
}

extension JSONValue {
  /// Every text in a view, in its order.
  var texts: [String] {
    switch content {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .object(let members): members.flatMap(\.value.texts)
    case .null, .bool, .number: []
    }
  }

  /// Whether some text of a view contains this one.
  func says(_ text: String) -> Bool { texts.contains { $0.contains(text) } }
}
