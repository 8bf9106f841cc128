/// Every option of every command, in the order help lists them.
enum Option: String, CaseIterable {
  case policy, manifests, discover, state
  case runtimeDirectory = "runtime-dir"
  case once
  case noRestore = "no-restore"
  case audit
  case sha256, data
  case yes, replace
  case eraseData = "erase-data"
  case lint, threshold, sarif
  case format, json
  case logFormat = "log-format"
  case logLevel = "log-level"
  case spin
  case cases = "case"
  case seconds, seed, syscalls, junit
  case level, lines, follow
  case dryRun = "dry-run"
  case module, running, ready
  case field, stdin
  case listen, url
  case quiet, help

  /// The name of the value it takes; `nil` for a switch.
  var placeholder: String? {
    switch self {
    case .policy: "FILE"
    case .manifests, .discover, .state, .runtimeDirectory: "DIR"
    case .sha256: "HASH"
    case .audit: "MODULE"
    case .data: "keep|erase"
    case .threshold: "SCORE"
    case .format: "text|json|bpf|oci"
    case .logFormat: "text|json|journald"
    case .logLevel: "debug|info|warning|error"
    case .spin: "adaptive|off"
    case .cases: "NAME[,NAME…]"
    case .seconds, .seed, .lines: "N"
    case .level: "debug|info|warning|error"
    case .module: "MODULE"
    case .listen: "ADDRESS"
    case .field: "NAME=VALUE"
    case .junit: "FILE"
    case .stdin, .url, .lint, .sarif, .syscalls, .follow, .dryRun, .running, .ready, .once, .noRestore, .yes,
      .replace,
      .eraseData, .json, .quiet,
      .help:
      nil
    }
  }

  /// Whether it may be given more than once.
  var isRepeatable: Bool { self == .field }

  /// The commands that know it.
  var commands: Set<CommandName> {
    switch self {
    case .policy: [.run, .check, .explain, .accept, .packages, .crashTest]
    case .manifests, .discover: [.run, .check, .explain, .accept, .packages, .crashTest]
    case .yes, .replace, .eraseData: [.packages]
    case .cases, .seconds, .seed, .syscalls, .junit: [.crashTest]
    case .state:
      CommandName.controls.union([
        .top, .run, .check, .explain, .accept, .packages, .crashes, .audit, .crashTest, .secret, .console,
      ])
    case .runtimeDirectory: CommandName.controls.union([.top, .run, .explain, .crashes, .secret, .console])
    case .level, .lines: [.logs]
    case .follow: [.logs, .events]
    case .module: [.render]
    case .running: [.explain]
    case .ready: [.status]
    case .field, .stdin: [.secret]
    case .listen, .url: [.console]
    case .dryRun: [.reload]
    case .once, .noRestore, .audit, .logFormat, .logLevel, .spin, .quiet: [.run]
    case .sha256, .data: [.accept]
    case .lint, .threshold, .sarif: [.check]
    case .format: [.explain]
    case .json:
      CommandName.controls.subtracting([.metrics]).union([
        .run, .check, .oci, .accept, .packages, .crashes, .audit, .crashTest, .top, .secret, .version,
      ])
    case .help: Set(CommandName.allCases)
    }
  }

  /// What it does, in one line of help.
  var summary: String {
    switch self {
    case .policy: "the policy file"
    case .manifests: "the folder of manifests; every *.json in it must be valid"
    case .discover: "look for manifests below DIR instead, passing over other JSON"
    case .state: "the folder of registrations and desired state"
    case .runtimeDirectory: "the folder of what lives only as long as the supervisor"
    case .once: "boot, report, shut down"
    case .noRestore: "boot the policy's set anew instead of the desired state"
    case .audit:
      "let calls outside MODULE's sandbox through, and tell the change to the policy that allows them"
    case .sha256: "the hash that you accept, as `accept` shows it"
    case .data: "what becomes of the data of a module that comes from elsewhere now"
    case .yes: "do it without asking"
    case .replace: "let it take the place of a newer bundle, or of one from elsewhere"
    case .eraseData: "delete the removed module's data too"
    case .lint: "also show risky lines that have no reason, and how much each module could harm"
    case .threshold: "fail where a module's exposure is above SCORE, from 0 to 10"
    case .sarif: "print what was found as SARIF 2.1.0"
    case .format: "how to print (default: text)"
    case .json: "print one JSON object on standard output"
    case .logFormat: "how log lines look on standard error, or journald to send them there (default: text)"
    case .logLevel: "the least level that is logged (default: info; warning at a terminal)"
    case .spin: "look for input some microseconds before sleeping, where that pays (default: adaptive)"
    case .cases: "run these cases alone (default: all)"
    case .seconds: "then run cases at random, several at once, for N seconds"
    case .seed: "the storm's seed: the same one brings the same cases (default: 1)"
    case .syscalls: "also make every system call there is under the filter of each module's plan"
    case .junit: "also write the report to FILE as JUnit XML"
    case .level: "the least level that is shown (default: debug)"
    case .lines: "how many records of the past (default: 100)"
    case .module:
      "the module that draws the view (default: the one that the policy names, or that put it on the surface)"
    case .running: "show what holds the process that runs, by the word of its supervisor"
    case .field: "a value that is no secret, so that nobody is asked for it; may be given for each field"
    case .stdin: "read the values from standard input, as an object of JSON"
    case .listen: "where the console listens: 127.0.0.1:PORT or unix:/PATH (default: 127.0.0.1:8666)"
    case .url: "print the way into the console that the supervisor keeps by its policy"
    case .ready: "say whether it is ready, by the exit status too, and nothing else"
    case .dryRun: "show what would become different, and change nothing"
    case .follow: "go on with each record as it comes"
    case .quiet: "no report and no progress; errors alone"
    case .help: "explain the command"
    }
  }
}
