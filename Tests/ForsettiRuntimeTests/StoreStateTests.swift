import CSQLite
import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiRuntime

@Suite("State")
struct StoreStateTests {
  private let scratch: Scratch
  private let wanted = ActivationState(
    enabledServiceModuleIDs: ["com.example.a", "com.example.b"], enabledUIModuleIDs: ["com.example.ui"],
    selectedUIModuleID: "com.example.ui")

  init() throws { scratch = try Scratch() }

  private func error(_ path: String) -> StoreError? {
    do {
      _ = try StateDatabase(folder: path)
      return nil
    } catch { return error }
  }

  @Test("desired state survives closing and opening; before the first save there is none")
  func activation() throws {
    do {
      let state = try StateDatabase(folder: scratch("deep/state"))
      #expect(try state.activation() == nil)
      #expect(try !state.isFirstBootDone())
      try state.commit(StateChange(activation: wanted))
      #expect(try !state.isFirstBootDone())
    }
    let state = try StateDatabase(folder: scratch("deep/state"))
    #expect(try state.activation() == wanted)
    try state.commit(StateChange(activation: ActivationState(), completesFirstBoot: true))
    #expect(try state.activation() == ActivationState())
    #expect(try state.isFirstBootDone())
    try state.commit(StateChange(activation: wanted))
    #expect(try state.isFirstBootDone(), "a later save does not undo the first boot")
  }

  @Test("the folder is made with mode 0700, its files with 0600")
  func modes() throws {
    let state = try StateDatabase(folder: scratch("deep/state/"))
    try state.commit(StateChange(activation: wanted))
    func mode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: scratch(name))[.posixPermissions] as? Int
    }
    #expect(try mode("deep") == 0o700)
    #expect(try mode("deep/state") == 0o700)
    for file in ["state.sqlite", "state.sqlite-wal", "lock"] {
      #expect(try mode("deep/state/" + file) == 0o600)
    }
  }

  @Test("a second opener is refused and told who holds the state; it opens once the first is gone")
  func lock() throws {
    var first: StateDatabase? = try StateDatabase(folder: scratch.path)
    #expect(error(scratch.path) == .locked(path: scratch.path, processID: getpid()))
    withExtendedLifetime(first) {}
    first = nil
    #expect(error(scratch.path) == nil)
  }

  @Test("a reader looks at the state beside its holder, changes nothing, and finds none where there is none")
  func reading() throws {
    #expect(try StateDatabase.forReading(folder: scratch("absent")) == nil)
    #expect(try StateDatabase.forReading(folder: scratch.path) == nil)
    let state = try StateDatabase(folder: scratch.path)
    try state.commit(StateChange(activation: wanted))
    let reader = try #require(try StateDatabase.forReading(folder: scratch.path))
    #expect(try reader.activation() == wanted)
    #expect(throws: StoreError.self) { try reader.commit(StateChange(activation: ActivationState())) }
    try state.commit(StateChange(activation: ActivationState()))
    #expect(try reader.activation() == ActivationState())
  }

  @Test("a state of a newer version is refused and left as it is")
  func newerVersion() throws {
    do {
      let state = try StateDatabase(folder: scratch.path)
      try state.database.run("PRAGMA user_version = 7")
    }
    let file = scratch("state.sqlite")
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(error(scratch.path) == .newerVersion(path: file, found: 7, supported: 2))
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
  }

  @Test("a state of the first version is brought up to this one, with what it holds")
  func olderVersion() throws {
    do {
      let state = try StateDatabase(folder: scratch.path)
      try state.saveRestartHistory(RestartHistory(ends: [7]), moduleID: "a.b")
      try state.database.run("DROP TABLE quarantines")
      try state.database.run("PRAGMA user_version = 1")
    }
    let held = Quarantine(cause: .tooManyRestarts(count: 6, withinMilliseconds: 60_000), since: 9)
    do {
      let state = try StateDatabase(folder: scratch.path)
      #expect(try state.restartHistory(moduleID: "a.b") == RestartHistory(ends: [7]))
      try state.saveRestartHistory(RestartHistory(ends: [7], quarantine: held), moduleID: "a.b")
    }
    let state = try StateDatabase(folder: scratch.path)
    #expect(try state.quarantinedModuleIDs() == ["a.b"])
    #expect(try state.restartHistory(moduleID: "A.B").quarantine == held)
  }

  @Test("every cause of a quarantine is kept, and one that is none is damage")
  func quarantines() throws {
    let state = try StateDatabase(folder: scratch.path)
    for cause in [QuarantineCause.violation, .protocolError, .sandboxFailed] {
      let history = RestartHistory(quarantine: Quarantine(cause: cause, since: 1))
      try state.saveRestartHistory(history, moduleID: "a.b")
      #expect(try state.restartHistory(moduleID: "a.b") == history)
    }
    try state.database.run("UPDATE quarantines SET cause = 'boredom'")
    guard
      case .damaged? = #expect(
        throws: StoreError.self,
        performing: {
          try state.restartHistory(moduleID: "a.b")
        })
    else {
      Issue.record("expected damaged")
      return
    }
  }

  @Test("another program's database, and a file that is none, are refused as damaged")
  func damaged() throws {
    try scratch.write("state.sqlite", "this is no database, but long enough to have a header of its own")
    guard case .damaged = error(scratch.path) else {
      Issue.record("expected damaged")
      return
    }
    unlink(scratch("state.sqlite"))
    var other: OpaquePointer?
    #expect(sqlite3_open(scratch("state.sqlite"), &other) == SQLITE_OK)
    #expect(sqlite3_exec(other, "CREATE TABLE t (x)", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(other)
    #expect(
      error(scratch.path)
        == .damaged(path: scratch("state.sqlite"), reason: "it is another program's database"))
  }

  @Test("a database file that is a link, or that others may write, is refused")
  func untrustedFile() throws {
    try scratch.write("elsewhere", "")
    symlink(scratch("elsewhere"), scratch("state.sqlite"))
    let path = scratch("state.sqlite")
    #expect(
      error(scratch.path)
        == .untrusted(TrustedFileError(path: path, fault: .wrongKind(.symbolicLink, expected: .file))))
    unlink(path)
    try scratch.write("state.sqlite", "", mode: 0o622)
    #expect(error(scratch.path) == .untrusted(TrustedFileError(path: path, fault: .writable(mode: 0o622))))
    unlink(path)
    unlink(scratch("lock"))
    symlink(scratch("elsewhere"), scratch("lock"))
    #expect(
      error(scratch.path) == .untrusted(TrustedFileError(path: scratch("lock"), fault: .symbolicLink)))
  }

  @Test("a state folder that others may write is refused, sticky or not; a file in its place too")
  func untrustedFolder() throws {
    for mode in [0o770, 0o1777] as [mode_t] {
      let path = try scratch.folder("state", mode: mode)
      #expect(error(path) == .untrusted(TrustedFileError(path: path, fault: .writable(mode: UInt32(mode)))))
    }
    let file = try scratch.write("file")
    #expect(
      error(file) == .untrusted(TrustedFileError(path: file, fault: .wrongKind(.file, expected: .folder))))
    #expect(error(file + "/state") == .folderNotCreated(path: file + "/state", errno: ENOTDIR))
  }

  @Test("a module keeps its user ID slot for ever; another origin gets another; none is reused")
  func slots() throws {
    let state = try StateDatabase(folder: scratch.path)
    func slot(_ moduleID: String, _ origin: String = "built-in", count: Int = 3) throws -> Int {
      try state.userIDSlot(moduleID: moduleID, origin: origin, count: count)
    }
    #expect(try slot("com.example.a") == 0)
    #expect(try slot("com.example.b") == 1)
    #expect(try slot("COM.Example.A") == 0, "IDs compare without case")
    #expect(try slot("com.example.a", "key:1") == 2)
    #expect(throws: StoreError.userIDsExhausted(moduleID: "com.example.c", count: 3)) {
      try slot("com.example.c")
    }
    #expect(try slot("com.example.c", count: 4) == 3, "a refusal uses no slot up")
    try state.database.run("DELETE FROM user_ids")
    #expect(try slot("com.example.d", count: 9) == 4)
  }

  @Test("a module's restart history is kept, replaced and forgotten")
  func restarts() throws {
    let state = try StateDatabase(folder: scratch.path)
    #expect(try state.restartHistory(moduleID: "a.b") == RestartHistory())
    try state.saveRestartHistory(RestartHistory(ends: [7, 5, 5]), moduleID: "a.b")
    try state.saveRestartHistory(RestartHistory(ends: [9]), moduleID: "a.c")
    #expect(try state.restartHistory(moduleID: "A.B").ends == [5, 5, 7])
    try state.saveRestartHistory(RestartHistory(ends: [8]), moduleID: "a.B")
    #expect(try state.restartHistory(moduleID: "a.b").ends == [8])
    try state.saveRestartHistory(RestartHistory(), moduleID: "a.b")
    #expect(try state.restartHistory(moduleID: "a.b").ends.isEmpty)
    #expect(try state.restartHistory(moduleID: "a.c").ends == [9])
  }

  @Test("an acceptance is kept until it is used, the later one instead of the earlier")
  func acceptances() throws {
    let state = try StateDatabase(folder: scratch.path)
    var word = Acceptance(moduleID: "a.b", manifestSHA256: "00", origin: "built-in", acceptedAt: 1)
    try state.saveAcceptance(word)
    #expect(try state.acceptance(moduleID: "A.B") == word)
    word.executableSHA256 = "11"
    word.data = .erase
    try state.saveAcceptance(word)
    #expect(try state.acceptance(moduleID: "a.b") == word)
  }

  private func record(_ moduleID: String, sha256: String = "00") -> ModuleRegistrationRecord {
    let version = SemVer(major: 1, minor: 2, patch: 3, prerelease: "rc.1")
    let manifest = ModuleManifest(
      moduleID: moduleID, displayName: "Ünïcode \"quoted\"", moduleVersion: version, moduleType: .service,
      supportedPlatforms: [.linux, Platform("Plan9")], minForsettiVersion: version,
      capabilitiesRequested: [.storage], entryPoint: "Main",
      runtimeRequirements: RuntimeRequirements(io: [IORequirement("s", .storage, .readWrite, required: true)])
    )
    return ModuleRegistrationRecord(
      manifest: manifest, sha256: sha256, origin: "built-in", productVersion: "0.2.0", registeredAt: 5)
  }

  @Test("a registration is kept whole, the later instead of the earlier, and uses up the acceptance")
  func registrations() async throws {
    let store = try await StateStore.open(folder: scratch.path)
    #expect(try await store.record(moduleID: "a.b") == nil)
    try await store.commit(StateChange(records: [record("b.c"), record("a.b")]))
    #expect(try await store.record(moduleID: "A.b") == record("a.b"))
    try await store.saveAcceptance(
      Acceptance(moduleID: "a.B", manifestSHA256: "11", origin: "built-in", acceptedAt: 1))
    try await store.commit(StateChange(records: [record("a.b", sha256: "11")]))
    #expect(try await store.acceptance(moduleID: "a.b") == nil)
    #expect(try await store.record(moduleID: "a.b") == record("a.b", sha256: "11"))
    #expect(try await store.record(moduleID: "b.c") == record("b.c"))
  }

  @Test("a registration that no version writes is damage, with the place")
  func damagedRegistration() throws {
    let state = try StateDatabase(folder: scratch.path)
    try state.database.run("INSERT INTO registrations VALUES ('a.b', '{}')")
    #expect {
      try state.record(moduleID: "a.b")
    } throws: { error in
      guard case StoreError.damaged(_, let reason) = error else { return false }
      return reason.hasPrefix("registration of a.b: ")
    }
  }

  @Test("texts are bound as they are: empty, quotes, NUL and all")
  func binding() throws {
    let state = try StateDatabase(folder: scratch.path)
    let odd = ["", "'; DROP TABLE desired; --", "a\u{0}b", "\u{1F98A}"]
    let activation = ActivationState(enabledServiceModuleIDs: Set(odd), selectedUIModuleID: "")
    try state.commit(StateChange(activation: activation))
    #expect(try state.activation() == activation)
  }

  @Test("the store works from any task, on its own thread")
  func store() async throws {
    let store = try await StateStore.open(folder: scratch.path)
    try await store.commit(StateChange(activation: wanted))
    try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<50 {
        group.addTask { try await store.userIDSlot(moduleID: "a.m\(index)", origin: "o", count: 50) }
      }
      let slots = try await group.reduce(into: Set()) { $0.insert($1) }
      #expect(slots == Set(0..<50))
    }
    #expect(try await store.activation() == wanted)
  }
}
