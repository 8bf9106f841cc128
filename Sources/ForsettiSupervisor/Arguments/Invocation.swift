import ForsettiCore

/// What the command line asks for, complete and of the right types.
enum Invocation: Equatable {
  case run(RunOptions)
  case check(CheckOptions)
  case explain(moduleID: String, Inputs, state: String?, ExplainFormat)
  case oci(OCICommand)
  case accept(AcceptOptions)
  case packages(PackagesOptions)
  case crashTest(CrashTestOptions)
  case crashes(CrashesOptions)
  case audit(AuditLogOptions)
  case control(ControlCommand)
  case top(TopCommand)
  case secret(SecretCommand)
  case console(ConsoleCommand)
  case version(json: Bool)
  case help(CommandName?)

  /// The signals that it takes itself; they are blocked before there is any thread.
  var signals: [Int32] {
    switch self {
    case .run, .crashTest: RunCommand.signals
    case .top(let command): command.signals
    case .secret(let command): command.signals
    case .check, .explain, .oci, .accept, .packages, .crashes, .audit, .control, .console, .version, .help:
      []
    }
  }

  /// Whether it runs modules, each of which takes descriptors.
  var runsModules: Bool {
    switch self {
    case .run, .crashTest: true
    case .top, .secret, .check, .explain, .oci, .accept, .packages, .crashes, .audit, .control, .console,
      .version, .help:
      false
    }
  }
}

/// Where policy and manifests are to be read; `nil` leaves it to the installation.
struct Inputs: Equatable {
  var policy: String?
  var manifests: String?
  /// Recursive discovery below this folder instead of a strict folder of manifests.
  var discover: String?
}

/// What `check` was told.
struct CheckOptions: Equatable {
  var inputs = Inputs()
  /// Where bundles are, unless the policy names another folder.
  var state: String?
  /// Whether risky lines are looked for, and each module's exposure.
  var lints = false
  /// The highest exposure that a module may have, 0 – 10.
  var threshold: Double?
  var format = CheckFormat.text
}

/// What `accept` was told.
struct AcceptOptions: Equatable {
  var moduleID: String
  var inputs = Inputs()
  var state: String?
  /// What the person looked at; `nil` only shows.
  var sha256: String?
  /// What becomes of the data of a module that comes from elsewhere now.
  var data: DataChoice?
  var json = false
}

/// What `packages` was told.
struct PackagesOptions: Equatable {
  enum Action: Equatable {
    case install(path: String)
    case list
    case remove(moduleID: String)
    /// Print what a signer of the bundle signs.
    case statement(path: String)
  }

  var action: Action
  var inputs = Inputs()
  var state: String?
  /// Whether nobody needs to be asked.
  var isConfirmed = false
  var replaces = false
  var erasesData = false
  var json = false
}

/// What `crashes` was told.
struct CrashesOptions: Equatable {
  enum Action: Equatable {
    case list
    /// One report, by its ID or as much of its beginning as only one has; `latest` is the newest.
    case show(String)
  }

  var action: Action
  var state: String?
  /// Of the supervisor that is to be asked; `nil` reads the files.
  var runtimeDirectory: String?
  var json = false
}

/// What becomes of a module's data when its code comes from another origin.
enum DataChoice: String, CaseIterable {
  case keep, erase
}

/// What `run` was told.
struct RunOptions: Equatable {
  var inputs = Inputs()
  var state: String?
  var runtimeDirectory: String?
  var once = false
  var noRestore = false
  /// The module to audit.
  var audit: String?
  var json = false
  var quiet = false
  var logFormat = LogFormat.text
  /// `nil`: by where the log goes.
  var logLevel: LogLevel?
  var spin = SpinMode.adaptive
}

/// What `crash-test` was told.
struct CrashTestOptions: Equatable {
  var inputs = Inputs()
  /// Whose bundles are among the modules; nothing in it is changed.
  var state: String?
  /// Names of cases; none is all of them.
  var cases: [String] = []
  /// A storm after the cases, one by one.
  var storm: StormPlan?
  /// Whether every system call is tried too.
  var syscalls = false
  var json = false
  /// Where to write JUnit XML.
  var junit: String?
}

/// Whether both ends of the pipes look for input before they sleep.
enum SpinMode: String, CaseIterable {
  /// Where that has paid off lately, and there is a second processor.
  case adaptive
  case off
}

/// How log lines are written.
enum LogFormat: String, CaseIterable {
  case text, json
  /// Fields for systemd's journal, not on standard error.
  case journald
}

/// How `explain` prints.
enum ExplainFormat: String, CaseIterable {
  case text, json, bpf
  /// A seccomp profile for container tools.
  case oci
}

/// How `check` prints.
enum CheckFormat: Equatable {
  case text, json, sarif
}
