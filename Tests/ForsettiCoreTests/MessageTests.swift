import ForsettiCore
import Testing

@Suite("Messages")
struct MessageTests {
  static let exit = ModuleExit(status: .signalled(11), reason: .crashed(signal: 11))
  static let report = CompatibilityReport(
    moduleID: "a.b",
    issues: [CompatibilityIssue(code: .unsupportedPlatform, severity: .error, message: "made for \"iOS\"")])

  static let errors: [ModuleManagerError] = [
    .moduleNotDiscovered(moduleID: "a.b"), .moduleNotActive(moduleID: "a.b"), .incompatible(report),
    .registrationMissing(moduleID: "a.b", sha256: "f00"),
    .registrationMismatch(moduleID: "a.b", reason: "changed"),
    .moduleLocked(moduleID: "a.b", productID: "p"),
    .entryPointNotRegistered(moduleID: "a.b", entryPoint: "E"),
    .duplicateEntryPoint(entryPoint: "E", moduleIDs: ["a.b", "a.c"]),
    .moduleIdentityMismatch(moduleID: "a.b", field: "manifest.entryPoint", expected: "E", actual: "F"),
    .notUIModule(moduleID: "a.b"),
    .missingCapability(moduleID: "a.b", capability: .toolbarItems, usage: "toolbar items"),
    .unsatisfiedRuntimeRequirement(moduleID: "a.b", reason: "no provider"),
    .startFailed(moduleID: "a.b", reason: "no\ngood\u{1B}[2J"),
    .startTimedOut(moduleID: "a.b", phase: .describe, milliseconds: 5),
    .sandboxFailed(moduleID: "a.b", step: .landlock, errno: 38),
    .crashedDuringStart(moduleID: "a.b", exit: exit),
    .stopTimedOut(moduleID: "a.b"), .hostUnavailable(moduleID: "a.b", path: "/x", reason: "absent"),
    .storeFailed(operation: "save", reason: "full"),
  ]

  @Test("each error is one line that names the module, the fault and the way out", arguments: errors)
  func oneLine(error: ModuleManagerError) {
    let message = error.message
    let isOneLine = !message.unicodeScalars.contains { $0.isUnfitForDisplay }
    #expect(isOneLine)
    #expect(message.contains("a.b") || message.hasPrefix("state: "))
    #expect(
      message.hasPrefix(error.subject) && message.contains(error.fault) && message.hasSuffix(error.wayOut))
  }

  @Test("what matters is in the message")
  func details() {
    #expect(
      ModuleManagerError.sandboxFailed(moduleID: "a.b", step: .landlock, errno: 38).message.contains("ENOSYS")
    )
    #expect(
      ModuleManagerError.registrationMissing(moduleID: "a.b", sha256: "f00").message.contains(
        "accept a.b --sha256 f00"))
    #expect(
      ModuleManagerError.crashedDuringStart(moduleID: "a.b", exit: Self.exit).message.contains("SIGSEGV"))
    #expect(ModuleManagerError.incompatible(Self.report).message.contains("unsupportedPlatform"))
    #expect(ErrnoName.text(12345) == "errno 12345")
    #expect(SignalName.text(64) == "signal 64")
  }

  @Test("a violation shows its call with all that is known of the arguments, on one line")
  func violations() {
    var violation = Violation(
      syscall: "openat", number: 257, arguments: [], path: "/etc/passwd", instructionPointer: 1)
    #expect(violation.message.contains("openat on \"/etc/passwd\","))
    violation.decoded = ["dirfd=3", "path=\"/etc/pass\nwd\""]
    #expect(violation.message.contains("openat(dirfd=3, path="))
    let isOneLine = !violation.message.unicodeScalars.contains { $0.isUnfitForDisplay }
    #expect(isOneLine)
    violation.number = -1
    #expect(violation.message.contains("another architecture or of x32"))
  }

  @Test("a loader's faults name file, line, column and pointer, one line each")
  func loader() {
    let fault = ManifestFault(
      file: "a.json", pointer: "/moduleID", line: 3, column: 9, reason: "moduleID is blank")
    let error = ManifestLoaderError.several([
      .validationFailed(fault), .duplicateModuleID(moduleID: "a.b", files: ["a.json", "b\n.json"]),
      .manifestsDirectoryNotFound(path: "/x", why: .unreadable(errno: 13)),
    ])
    let lines = error.message.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines.first == "a.json:3:9: /moduleID: moduleID is blank")
    #expect(lines.last?.contains("EACCES") == true)
  }
}
