import Testing

@testable import ForsettiSupervisor

@Suite struct ArgumentParserTests {
  @Test("no command means run") func runIsDefault() throws {
    #expect(try ArgumentParser.parse([]) == .run(RunOptions()))
    #expect(try ArgumentParser.parse(["--once"]) == .run(RunOptions(once: true)))
    #expect(
      try ArgumentParser.parse(["--audit", "com.a", "--json"]) == .run(RunOptions(audit: "com.a", json: true))
    )
    #expect(try ArgumentParser.parse(["run"]) == .run(RunOptions()))
  }

  @Test("crash-test takes cases, a storm with its seed, and where to write") func crashTest() throws {
    #expect(try ArgumentParser.parse(["crash-test"]) == .crashTest(CrashTestOptions()))
    let expected = CrashTestOptions(
      inputs: Inputs(policy: "p.json"), cases: ["fork", "exec"], storm: StormPlan(seconds: 5, seed: 9),
      syscalls: true,
      json: true, junit: "j.xml")
    #expect(
      try ArgumentParser.parse([
        "crash-test", "--policy", "p.json", "--case", "fork,exec", "--seconds=5", "--seed", "9", "--syscalls",
        "--json",
        "--junit", "j.xml",
      ]) == .crashTest(expected))
    #expect(
      try ArgumentParser.parse(["crash-test", "--seconds", "2"])
        == .crashTest(CrashTestOptions(storm: StormPlan(seconds: 2, seed: 1))))
  }

  @Test("every option of run arrives, with a space or an equals sign") func runOptions() throws {
    let expected = RunOptions(
      inputs: Inputs(policy: "p.json", manifests: "m"), state: "s", runtimeDirectory: "r", once: true,
      noRestore: true, json: true, quiet: true, logFormat: .json, logLevel: .debug, spin: .off)
    #expect(
      try ArgumentParser.parse([
        "run", "--policy", "p.json", "--manifests=m", "--state", "s", "--runtime-dir=r", "--once",
        "--no-restore",
        "--json", "--quiet", "--log-format", "json", "--log-level=debug", "--spin", "off",
      ]) == .run(expected))
  }

  @Test("the other commands take their operands and options") func others() throws {
    let hash = String(repeating: "aB", count: 32)
    #expect(
      try ArgumentParser.parse(["check", "--discover", "d", "--json"])
        == .check(CheckOptions(inputs: Inputs(discover: "d"), format: .json)))
    #expect(
      try ArgumentParser.parse(["explain", "--format", "bpf", "com.a"])
        == .explain(moduleID: "com.a", Inputs(), state: nil, .bpf))
    #expect(
      try ArgumentParser.parse(["accept", "com.a", "--sha256", hash])
        == .accept(AcceptOptions(moduleID: "com.a", sha256: hash.lowercased())))
    #expect(try ArgumentParser.parse(["secret", "list"]) == .secret(SecretCommand(action: .list)))
    #expect(
      try ArgumentParser.parse([
        "secret", "set", "account", "--field", "a=b=c", "--field=d=", "--stdin", "--state", "s",
      ])
        == .secret(
          SecretCommand(
            action: .set("account"), place: ControlPlace(state: "s"), fields: ["a": "b=c", "d": ""],
            readsInput: true)))
    #expect(try ArgumentParser.parse(["version", "--json"]) == .version(json: true))
    #expect(try ArgumentParser.parse(["--version"]) == .version(json: false))
    #expect(
      try ArgumentParser.parse(["explain", "--", "--odd"])
        == .explain(moduleID: "--odd", Inputs(), state: nil, .text))
  }

  @Test("help is had by command, by option and by -h, whatever else is missing") func help() throws {
    #expect(try ArgumentParser.parse(["--help"]) == .help(nil))
    #expect(try ArgumentParser.parse(["-h"]) == .help(nil))
    #expect(try ArgumentParser.parse(["help"]) == .help(nil))
    #expect(try ArgumentParser.parse(["help", "check"]) == .help(.check))
    #expect(try ArgumentParser.parse(["explain", "--help"]) == .help(.explain))
  }

  @Test("help names every option of every command", arguments: CommandName.allCases)
  func helpIsComplete(command: CommandName) {
    let text = HelpText.of(command)
    for option in Option.allCases where option.commands.contains(command) {
      #expect(text.contains("--\(option.rawValue)"))
    }
    #expect(HelpText.of(nil).contains(command.rawValue))
  }

  struct Fault: CustomTestStringConvertible {
    var arguments: [String]
    var says: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(
    "each wrong line is a usage error that names the way out",
    arguments: [
      Fault(arguments: ["chekc"], says: "did you mean check?"),
      Fault(
        arguments: ["frobnicate"], says: "unknown command \"frobnicate\" (see forsetti-supervisor --help)"),
      Fault(arguments: ["--polcy", "x"], says: "did you mean --policy?"),
      Fault(arguments: ["--zzzzzzzz"], says: "unknown option \"--zzzzzzzz\" (see"),
      Fault(arguments: ["check", "--once"], says: "--once is an option of run, not of check"),
      Fault(arguments: ["--policy"], says: "--policy needs a value: --policy FILE"),
      Fault(arguments: ["--policy="], says: "--policy needs a value"),
      Fault(arguments: ["--once=yes"], says: "--once takes no value"),
      Fault(arguments: ["--once", "--once"], says: "--once is given twice"),
      Fault(arguments: ["-x"], says: "no short options"),
      Fault(arguments: ["run", "extra"], says: "unexpected argument \"extra\""),
      Fault(arguments: ["explain"], says: "explain needs MODULE"),
      Fault(arguments: ["explain", "a", "b"], says: "unexpected argument \"b\""),
      Fault(arguments: ["--log-level", "warn"], says: "not \"warn\""),
      Fault(arguments: ["--log-level", "warnin"], says: "did you mean warning?"),
      Fault(arguments: ["--json"], says: "run --once"),
      Fault(arguments: ["crash-test", "--seed", "1"], says: "give it --seconds"),
      Fault(arguments: ["crash-test", "--seconds", "0"], says: "a whole number from 1"),
      Fault(arguments: ["crash-test", "--seconds", "1.5"], says: "a whole number from 1"),
      Fault(arguments: ["--manifests", "a", "--discover", "b"], says: "exclude each other"),
      Fault(arguments: ["accept", "a", "--sha256", "12"], says: "64 hexadecimal digits"),
      Fault(arguments: ["help", "me"], says: "unknown command \"me\""),
      Fault(arguments: ["help", "run", "check"], says: "one command at a time"),
      Fault(arguments: ["a\u{1B}[31m"], says: "\"a\\u{1B}[31m\""),
      Fault(arguments: [""], says: "unknown command \"\""),
    ])
  func faults(fault: Fault) {
    let failure = #expect(throws: CommandFailure.self) { try ArgumentParser.parse(fault.arguments) }
    #expect(failure?.status == .usage)
    #expect(failure?.message.contains(fault.says) == true, "\(failure?.message ?? "no failure")")
    #expect(failure?.message.contains("\n") == false)
  }
}
