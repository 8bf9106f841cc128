import ForsettiCore
import ForsettiRuntime
import Glibc

/// What the state's tests need another process for: to be killed, to be somebody else, to run out of room.
/// `forsetti-store-probe write|hold|open|report|decision FOLDER`, `limit BYTES FOLDER`, `as UID open FOLDER`,
/// `remove BUNDLES`, `install BUNDLE BUNDLES`: the latter can open no file once the bundle is copied.
@main struct Program {
  static func main() {
    var words = CommandLine.arguments.dropFirst()[...]
    if words.first == "as", words.count > 2, let user = UInt32(words.dropFirst().first ?? "") {
      guard setgid(user) == 0, setuid(user) == 0 else { exit(EX_OSERR) }
      words = words.dropFirst(2)
    }
    guard let command = words.first, let folder = words.last, words.count > 1 else { exit(EX_USAGE) }
    switch command {
    case "report": say(kept { () throws(CrashReportError) in try saveReport(in: folder) })
    case "decision":
      say(kept { () throws(AuditError) in try AuditLog.record(AuditEvent(.denied), stateFolder: folder) })
    case "remove":
      say(kept { () throws(PackageError) in try packages(in: folder).remove("com.example.meter") })
    case "install":
      say(
        kept { () throws(PackageError) in
          let offer = try packages(in: folder).offer(words.dropFirst().first ?? "", builtIns: [])
          var limit = rlimit(rlim_cur: 0, rlim_max: 0)
          guard setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(EX_OSERR) }
          try packages(in: folder).install(offer, replacing: true)
        })
    default: work(command, words, on: folder)
    }
  }

  /// What needs the state's database.
  private static func work(_ command: String, _ words: ArraySlice<String>, on folder: String) {
    do {
      let state = try StateDatabase(folder: folder)
      switch command {
      case "open": say("opened")
      case "hold":
        say("opened")
        _ = getchar()
      case "write": try write(state)
      case "limit": try fill(state, upTo: UInt(words.dropFirst().first ?? "") ?? 0)
      default: exit(EX_USAGE)
      }
    } catch { say(name(of: error)) }
  }

  private static func packages(in folder: String) -> ModulePackageManager {
    ModulePackageManager(BundleFolder(policy: Policy(), path: folder))
  }

  private static func kept<Failure>(_ save: () throws(Failure) -> Void) -> String {
    do throws(Failure) {
      try save()
      return "kept"
    } catch { return "\(error)" }
  }

  private static func saveReport(in folder: String) throws(CrashReportError) {
    let one = SemVer(major: 1, minor: 0, patch: 0)
    let manifest = ModuleManifest(
      moduleID: "com.example.a", displayName: "A", moduleVersion: one, moduleType: .service,
      supportedPlatforms: [.linux], minForsettiVersion: one, capabilitiesRequested: [], entryPoint: "A")
    try CrashReportStore(stateFolder: folder).save(
      CrashReport(
        id: CrashReportID(endedAt: 1, random: 1),
        module: CrashedModule(manifest, origin: .builtIn, manifestSHA256: "00"), grants: [], endedAt: 1,
        uptimeMilliseconds: 1, exit: ModuleExit(status: .signalled(11), reason: .crashed(signal: 11)),
        evidence: CrashEvidence(), ends: [1], next: .staysDown(.notDesired), wayOut: nil))
  }

  /// Saves one state after the other for ever, each in two changes, and says the number of each that is saved.
  static func write(_ state: StateDatabase) throws(StoreError) {
    var number = try state.activation()?.enabledServiceModuleIDs.count ?? 0
    while true {
      number += 1
      try state.commit(StateChange(activation: ProbeState.numbered(number)))
      say("\(number)")
      _ = try state.userIDSlot(moduleID: "a.m\(number)", origin: "probe", count: .max)
    }
  }

  /// Saves states until one doesn't fit, then tells why, and which one is there.
  static func fill(_ state: StateDatabase, upTo bytes: UInt) throws(StoreError) {
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    guard setrlimit(Int32(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(EX_OSERR) }
    var number = 0
    do {
      while true {
        try state.commit(StateChange(activation: ProbeState.numbered(number + 1)))
        number += 1
      }
    } catch { say(name(of: error)) }
    let kept = try state.activation()
    say(kept == ProbeState.numbered(number) ? "kept" : "lost")
  }

  static func name(of error: StoreError) -> String {
    switch error {
    case .full: "full"
    case .unwritable(_, let code): "unwritable \(code)"
    case .folderNotCreated(_, let code): "folderNotCreated \(code)"
    case .locked(_, let processID): "locked \(processID ?? 0)"
    case .untrusted(let error): "untrusted \(error.fault)"
    default: "\(error)"
    }
  }

  /// One line, whole, without a buffer that a kill would lose.
  static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = Glibc.write(1, bytes, bytes.count)
  }
}

/// States that can be told apart, and from a torn one.
enum ProbeState {
  /// The state of this number has as many services, named after it.
  static func numbered(_ number: Int) -> ActivationState {
    ActivationState(
      enabledServiceModuleIDs: Set((0..<number).map { "a.s\(number)-\($0)" }),
      enabledUIModuleIDs: ["a.ui\(number)"], selectedUIModuleID: "a.ui\(number)")
  }
}
