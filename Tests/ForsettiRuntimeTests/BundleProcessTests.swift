import CLinux
import ForsettiCore
import ForsettiSandbox
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiRuntime

/// The example of docs/third-party.md.
private func exampleModule() throws -> CompiledProgram {
  try CompiledProgram(file: Shipped.root + "/Examples/c-module/module.c")
}

/// Third parties' executables, each in a real process under the real lock.
@ReactorActor @Suite("Third parties' executables", .timeLimit(.minutes(2)))
struct BundleProcessTests {
  /// How a program ended that never said what it is.
  private func end(_ body: String) async throws -> ExitReason? {
    let process = try CompiledProgram(main: body).process()
    do throws(ModuleManagerError) {
      _ = try await process.launch()
      return nil
    } catch {
      guard case .crashedDuringStart(_, let exit) = error else {
        Issue.record("\(error)")
        return nil
      }
      return exit.reason
    }
  }

  private func violation(_ body: String) async throws -> Violation? {
    guard case .violation(let violation)? = try await end(body) else { return nil }
    return violation
  }

  @Test("a module of C, written from the protocol's page alone, says what it is, starts and stops, locked")
  func example() async throws {
    // Without a broker there is no storage: what it is, and that it is locked, is what this looks at.
    let process = try exampleModule().process()
    let description = try await process.launch()
    #expect(description.descriptor.moduleID == "com.example.c-module")
    #expect(description.version == 1)
    let info = try #require(await process.observe())
    #expect(info.threads == 1)
    #expect(info.openFileDescriptors == 5)
    #expect(info.seccompMode == 2)
    #expect(info.noNewPrivileges == true)
    // Of the memory after the exec, not of the host's before it.
    #expect((1...2_048).contains(info.pssKiB ?? 0))
    #expect(owner(of: info.pid) == 0)
    process.kill()
    #expect(await process.exit().status == .signalled(SIGKILL))
  }

  /// Who owns /proc/PID/environ: root where the process is undumpable, its user else (proc(5)).
  private func owner(of pid: pid_t) -> uid_t? {
    var status = stat()
    return stat("/proc/\(pid)/environ", &status) == 0 ? status.st_uid : nil
  }

  @Test("as root nobody of its user may look into a program, though it does nothing about that itself")
  func undumpable() async throws {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let program = try CompiledProgram(main: #"write(1, "up\n", 3); return ppoll(0, 0, 0, 0);"#)
    let process = try program.process { if case .line(let line, _) = $0 { continuation.yield(line) } }
    let launch = Task { try? await process.launch() }
    var iterator = lines.makeAsyncIterator()
    #expect(await iterator.next(isolation: ReactorActor.shared) == "up")
    // As an ordinary user it stays readable to its user, who is the supervisor's own, until it closes itself.
    #expect(owner(of: try #require(process.process?.pid)) == (geteuid() == 0 ? 0 : geteuid()))
    process.kill()
    _ = await launch.value
  }

  @Test("it has the five descriptors of every module, and not its own executable") func descriptors()
    async throws
  {
    let reason = try await end(
      """
      char c;
      if (read(5, &c, 1) >= 0 || errno != EBADF || read(0, &c, 1) != 0) return 4;
      return write(1, "x", 1) == 1 ? 3 : 5;
      """)
    #expect(reason == .exitedEarly(code: 3))
  }

  @Test("a second exec is a violation, by descriptor, by an absolute path, and by the call's other name")
  func execs() async throws {
    let again = try await violation(
      #"syscall(SYS_execveat, 5, "", (char *[]){"m", 0}, (char *[]){0}, AT_EMPTY_PATH); return 3;"#)
    #expect(again?.syscall == "execveat")
    let absolute = try await violation(
      #"syscall(SYS_execveat, 5, "/bin/true", (char *[]){"m", 0}, (char *[]){0}, AT_EMPTY_PATH); return 3;"#)
    #expect(absolute?.syscall == "execveat")
    #expect(absolute?.path == "/bin/true")
    let plain = try await violation(#"execl("/bin/true", "true", (char *)0); return 3;"#)
    #expect(plain?.syscall == "execve")
    #expect(plain?.path == "/bin/true")
  }

  @Test("it is locked before its first instruction, and the report reads its memory, not the host's")
  func locked() async throws {
    let opened = try await violation(#"open("/etc/passwd", O_RDONLY); return 3;"#)
    #expect(opened?.syscall == "openat")
    #expect(opened?.path == "/etc/passwd")
    #expect(try await violation("syscall(SYS_memfd_create, \"x\", 0); return 3;")?.syscall == "memfd_create")
    #expect(try await violation("fork(); return 3;")?.syscall == "clone")
    #expect(try await violation("syscall(SYS_arch_prctl, 0x1001, 0); return 3;")?.syscall == "arch_prctl")
    #expect(
      try await violation("int x = 0; syscall(SYS_ioctl, 1, 0x5412, &x); return 3;")?.syscall == "ioctl")
    #expect(
      try await violation("int x = 0; syscall(SYS_ioctl, 1, 0x100005412L, &x); return 3;")?.syscall == "ioctl"
    )
  }

  @Test("it may make itself undumpable, once") func prctl() async throws {
    #expect(try await end("return prctl(PR_SET_DUMPABLE, 0) == 0 ? 3 : 4;") == .exitedEarly(code: 3))
    let again = try await violation("prctl(PR_SET_DUMPABLE, 0); prctl(PR_SET_DUMPABLE, 0); return 3;")
    #expect(again?.syscall == "prctl")
    #expect(try await violation("prctl(PR_SET_DUMPABLE, 1); return 3;")?.syscall == "prctl")
  }

  @Test("it may install a handler for its faults, and then leaves its last words; without one it leaves none")
  func lastWords() async throws {
    let fault = "*(volatile char *)8 = 1; return 3;"
    let program = try CompiledProgram(
      main: "extern int cl_install_last_words(int); if (cl_install_last_words(2)) return 4; " + fault,
      with: "Sources/CLinux/cllastwords.c")
    let telling = try program.process()
    await #expect(throws: ModuleManagerError.self) { try await telling.launch() }
    #expect(await telling.exit().reason == .crashed(signal: SIGSEGV))
    let words = try #require(telling.lastWords)
    #expect(words.signal == SIGSEGV && words.address == 8 && words.base != 0 && !words.frames.isEmpty)
    let silent = try CompiledProgram(main: fault).process()
    await #expect(throws: ModuleManagerError.self) { try await silent.launch() }
    #expect(await silent.exit().reason == .crashed(signal: SIGSEGV))
    #expect(silent.lastWords == nil)
  }

  @Test("it may install one for no other signal") func otherHandlers() async throws {
    for signal in [SIGTERM, SIGSYS, SIGXCPU, SIGALRM] {
      let body = "long action[4] = {0}; syscall(SYS_rt_sigaction, \(signal), action, 0, 8); return 3;"
      #expect(try await violation(body)?.syscall == "rt_sigaction")
    }
  }

  @Test("a file changed in place after it was looked at is not what runs; before the copy it is refused")
  func changedInPlace() async throws {
    let program = try CompiledProgram(main: "return 3;")
    let plan = SandboxPlan.derive(grants: [], policy: SandboxPolicy(), executes: true)
    let sealed = try program.sealed()
    // In place: the same file, another content. The file of memory takes nothing more.
    let file = open(program.path, O_WRONLY)
    #expect(pwrite(file, "\u{7f}ELF changed", 12, 0) == 12)
    close(file)
    #expect(pwrite(sealed.number, "x", 1, 0) == -1 && errno == EPERM)
    #expect(ftruncate(sealed.number, 1) == -1 && errno == EPERM)
    let process = ModuleProcess(
      LaunchSpec(
        moduleID: "com.example.c-module", entryPoint: "main",
        hostPath: try builtProgram("forsetti-module-host"), plan: plan,
        filter: try FilterCompiler.compile(plan), userID: moduleUser, executable: sealed))
    await #expect(throws: ModuleManagerError.self) { try await process.launch() }
    #expect(await process.exit().reason == .exitedEarly(code: 3))

    var module = LoadedManifest(manifest: manifest("com.example.c-module"), path: "/m.json", sha256: "0")
    module.origin = .bundle(sha256: String(repeating: "0", count: 64), key: nil)
    module.executablePath = program.path
    let changed = await #expect(throws: ModuleManagerError.self) {
      try await ExecutableStore().executable(of: module, limit: 1 << 26)
    }
    guard case .executableUnavailable? = changed else {
      Issue.record("not refused")
      return
    }
  }

  /// A module whose bundle has this executable.
  private func bundle(of program: CompiledProgram) throws -> LoadedManifest {
    var module = LoadedManifest(manifest: manifest("com.example.c-module"), path: "/m.json", sha256: "0")
    let bytes = try Data(contentsOf: URL(filePath: program.path))
    module.origin = .bundle(sha256: SHA256.hex(Array(bytes)), key: nil)
    module.executablePath = program.path
    return module
  }

  @Test("one copy serves every start of a bundle") func once() async throws {
    let program = try CompiledProgram(main: "return 3;")
    let module = try bundle(of: program)
    let store = ExecutableStore()
    let first = try await store.executable(of: module, limit: 1 << 26)
    unlink(program.path)
    #expect(try await store.executable(of: module, limit: 1 << 26) === first)
    #expect(first != nil)
  }

  @Test("a copy that no module runs any more goes with its last process, and not before") func letGo()
    async throws
  {
    let program = try CompiledProgram(main: "return 3;")
    let module = try bundle(of: program)
    let store = ExecutableStore()
    var process = try await store.executable(of: module, limit: 1 << 26)
    weak let copy = process
    store.keep(of: ForsettiModuleCatalog([module]))
    #expect(try await store.executable(of: module, limit: 1 << 26) === copy)
    store.keep(of: ForsettiModuleCatalog())
    #expect(copy != nil && process != nil)
    process = nil
    #expect(copy == nil)
  }
}
