import ForsettiCore
import ForsettiSandbox
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

@ReactorActor @Suite("The layers of a locked process", .timeLimit(.minutes(1)), .serialized)
struct LayersTests {
  @Test(
    "a call that the kernel lacks fails its own step, by name, and no module runs",
    arguments: [
      ("landlock_create_ruleset", .landlock), ("landlock_restrict_self", .landlock), ("seccomp", .seccomp),
      ("close_range", .closeDescriptors), ("capset", .userID), ("prctl", .userID),
      ("rt_sigaction", .signals), ("prlimit64", .resourceLimits),
    ] as [(String, SandboxLayer)])
  func missing(call: String, step: SandboxLayer) async throws {
    let host = try DenyingHost(without: call)
    let subject = try Subject(host: host.path) { $0.entryPoint = "print" }
    #expect(
      await subject.launchError()
        == .sandboxFailed(moduleID: "com.example.scripted", step: step, errno: ENOSYS))
    #expect(subject.exits.items.count == 1)
    #expect(subject.output.items.isEmpty)
  }

  @Test("a listener above is named: the kernel keeps one in a chain")
  func listenerAbove() async throws {
    let host = try DenyingHost(without: "listener")
    let subject = try Subject(host: host.path) { $0.entryPoint = "print" }
    #expect(
      await subject.launchError()
        == .sandboxFailed(moduleID: "com.example.scripted", step: .listener, errno: EBUSY))
  }

  @Test("a policy may let Landlock be missing, and then the module runs without it")
  func landlockWaived() async throws {
    let host = try DenyingHost(without: "landlock_create_ruleset")
    let subject = try Subject(host: host.path) {
      $0.entryPoint = "print"
      $0.lockdown.mayBeMissing = [.landlock]
    }
    _ = try await subject.process.launch()
    try await subject.process.start(grants: [])
    #expect(await subject.process.stop().reason == .stopped)
  }

  @Test("Landlock holds on its own, were a filter to let files, connections and signals through")
  func landlockAlone() async throws {
    let strict = SandboxPlan.derive(grants: [], policy: SandboxPolicy())
    var open = strict
    open.kernel += ["openat", "socket", "connect", "kill", "getppid"].map { SyscallRule($0, because: "test") }
    let filter = try FilterCompiler.compile(open)
    func result(host: String, mayBeMissing: Set<SandboxLayer>) async throws -> String? {
      let subject = try Subject(host: host) {
        $0.entryPoint = "landlock_probe"
        $0.lockdown.filter = filter.bytes
        $0.lockdown.mayBeMissing = mayBeMissing
      }
      _ = try await subject.process.launch()
      try await subject.process.start(grants: [])
      _ = await subject.process.stop()
      return subject.published.items.first?.payload["text"]
    }
    let host = try #require(ProgramsTests.hosts.first)
    #expect(
      try await result(host: host, mayBeMissing: [])
        == "escaped with \(-EACCES), connected \(-EACCES), signalled \(-EPERM)")
    let without = try DenyingHost(without: "landlock_create_ruleset")
    // Under root the module has a user of its own, which signals nobody else's processes either.
    let signalled = geteuid() == 0 ? -EPERM : 0
    #expect(
      try await result(host: without.path, mayBeMissing: [.landlock])
        == "escaped with 5, connected \(-ECONNREFUSED), signalled \(signalled)")
  }

  @Test("no policy can let seccomp be missing")
  func seccompNotWaived() async throws {
    let host = try DenyingHost(without: "seccomp")
    let subject = try Subject(host: host.path) { $0.lockdown.mayBeMissing = Set(SandboxLayer.allCases) }
    #expect(
      await subject.launchError()
        == .sandboxFailed(moduleID: "com.example.scripted", step: .seccomp, errno: ENOSYS))
  }

  @Test("a parent that is not the supervisor, or a filter that is none, is refused")
  func wrongRequest() async throws {
    let host = try #require(ProgramsTests.hosts.first)
    let other = try Subject(host: host) { $0.lockdown.supervisorPID = 1 }
    #expect(
      await other.launchError()
        == .sandboxFailed(moduleID: "com.example.scripted", step: .parentDeathSignal, errno: ESRCH))
    let broken = try Subject(host: host) { $0.lockdown.filter = [UInt8](repeating: 0xff, count: 16) }
    #expect(
      await broken.launchError()
        == .sandboxFailed(moduleID: "com.example.scripted", step: .seccomp, errno: EINVAL))
  }

  @Test("the kernel holds the limits that the plan names, hard and soft alike")
  func limits() async throws {
    let host = try #require(ProgramsTests.hosts.first)
    let subject = try Subject(host: host) { $0.entryPoint = "print" }
    _ = try await subject.process.launch()
    let pid = try #require(subject.process.process?.pid)
    let limits = subject.process.spec.plan.limits
    let held = limitsFile(of: pid)
    for (name, value) in [
      ("Max address space", limits.addressSpaceBytes), ("Max data size", limits.dataBytes),
      ("Max stack size", limits.stackBytes), ("Max file size", limits.fileSizeBytes),
      ("Max open files", limits.openFiles), ("Max core file size", 0),
    ] {
      #expect(held[name]?.prefix(2) == ["\(value)", "\(value)"])
    }
    #expect(held["Max cpu time"]?.prefix(2) == ["unlimited", "unlimited"])
    #expect(getsid(pid) == pid)
    #expect(await subject.process.stop().reason == .stopped)
  }

  @Test("nobody of the same user can read a module's memory", .enabled(if: getuid() != 0))
  func notDumpable() async throws {
    let host = try #require(ProgramsTests.hosts.first)
    let subject = try Subject(host: host) { $0.entryPoint = "print" }
    _ = try await subject.process.launch()
    let pid = try #require(subject.process.process?.pid)
    #expect(open("/proc/\(pid)/mem", O_RDONLY) == -1)
    #expect(errno == EACCES)
    #expect(await subject.process.stop().reason == .stopped)
  }

  @Test("a module of a root supervisor runs as the user of its own", .enabled(if: getuid() == 0))
  func userOfItsOwn() async throws {
    let host = try #require(ProgramsTests.hosts.first)
    let subject = try Subject(host: host) {
      $0.entryPoint = "print"
      $0.lockdown.userID = 61_234
    }
    _ = try await subject.process.launch()
    let pid = try #require(subject.process.process?.pid)
    let status = try #require(StatusFile(of: pid))
    #expect(status.integer("Uid") == 61_234)
    #expect(status.integer("Gid") == 61_234)
    #expect(status.integer("CapEff") == 0)
    #expect(status.integer("CapPrm") == 0)
    #expect(status.integer("Seccomp_filters") == 1)
    try await subject.process.start(grants: [])
    #expect(await subject.process.stop().reason == .stopped)
  }
}

/// /proc/PID/limits: soft and hard value by name. The name is the first 26 columns.
private func limitsFile(of pid: Int32) -> [String: [String]] {
  guard let file = try? Descriptor.open("/proc/\(pid)/limits", O_RDONLY) else { return [:] }
  var buffer = [UInt8](repeating: 0, count: 8192)
  let count = max(0, read(file.number, &buffer, buffer.count))
  let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
  return lines.reduce(into: [:]) { table, line in
    let name = String(line.prefix(26))
    let trimmed = name.split(separator: " ").joined(separator: " ")
    table[trimmed] = line.dropFirst(26).split(separator: " ").map(String.init)
  }
}

/// A script that becomes the hostile host in a kernel that lacks a call. Removed with its owner.
private struct DenyingHost: ~Copyable {
  let path: String

  init(without what: String) throws {
    let host = try #require(ProgramsTests.hosts.first)
    let folder = host.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    let script = "#!/bin/sh\nexec \(folder)/forsetti-deny \(what) \(host)\n"
    var template = Array("/tmp/forsetti-denying-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    try #require(file >= 0)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let written = script.withCString { write(file, $0, strlen($0)) }
    #expect(written == script.utf8.count)
    #expect(fchmod(file, 0o755) == 0)
    close(file)
  }

  deinit { unlink(path) }
}
