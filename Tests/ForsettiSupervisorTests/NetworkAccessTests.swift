import CLinux
import ForsettiLockdown
import ForsettiSandbox
import Foundation
import Glibc
import Testing

@testable import ForsettiCore
@testable import ForsettiSupervisor

/// How requests leave the host: who may, who may not, and what is left of whom.
@Suite(.timeLimit(.minutes(3))) struct NetworkAccessTests {
  @Test("the supervisor links no library that speaks HTTP or TLS; the network worker does")
  func libraries() async throws {
    func needed(_ program: String) async throws -> String {
      let end = try await SupervisorProcess.run([program], executable: "/usr/bin/ldd")
      #expect(end.status == 0, "\(end.errors)")
      return end.output
    }
    let supervisor = try await needed(Product.supervisor)
    #expect(supervisor.contains("libseccomp"))
    for library in ["libcurl", "libssl", "libcrypto", "libnghttp2"] {
      #expect(!supervisor.contains(library), "\(library)")
    }
    #expect(try await needed(Product.networkWorker).contains("libcurl"))
  }

  // MARK: What a worker can still do

  private static let user: UInt32? = geteuid() == 0 ? 1_879_048_192 : nil

  /// Locks this process as a worker is, but for its descriptors.
  private static func lock() throws {
    var request = SandboxPlan.networkWorker.lockdownRequest(
      filter: try FilterCompiler.compile(.networkWorker), supervisorPID: getppid(), userID: user)
    request.lastDescriptor = 1_023
    try LockedHelper.lock(request, landlock: .network)
  }

  private static func result(_ code: Int) -> Int32 { code >= 0 ? 0 : errno }

  private static func opened(_ path: String, _ flags: Int32) -> Int32 {
    let file = Glibc.open(path, flags | O_CLOEXEC, 0o600)
    defer { if file >= 0 { close(file) } }
    return result(Int(file))
  }

  private static func socket(_ family: Int32, _ kind: __socket_type = SOCK_STREAM) -> Int32 {
    result(Int(Glibc.socket(family, Int32(kind.rawValue), 0)))
  }

  /// What a worker that a host has taken over may try, what comes of it, and what must.
  private static func attempts() -> [(String, found: Int32, expected: Int32)] {
    let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(9).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (bound, connected) = withUnsafeBytes(of: &address) { bytes -> (Int32, Int32) in
      let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      return (
        result(Int(bind(descriptor, address, size))), result(Int(connect(descriptor, address, size)))
      )
    }
    let executable = mmap(nil, 4_096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let mapped = executable == MAP_FAILED ? errno : 0
    return [
      ("read /etc/passwd", opened("/etc/passwd", O_RDONLY), EACCES),
      ("read /proc/self/maps", opened("/proc/self/maps", O_RDONLY), EACCES),
      ("list /", opened("/", O_RDONLY | O_DIRECTORY), EACCES),
      ("write /tmp", opened("/tmp/forsetti-network-test", O_WRONLY | O_CREAT), EACCES),
      ("write /etc/hosts", opened("/etc/hosts", O_WRONLY), EACCES),
      ("read /etc/hosts", opened("/etc/hosts", O_RDONLY), 0),
      ("read certificates", opened("/etc/ssl/certs", O_RDONLY | O_DIRECTORY), 0),
      ("bind", bound, ENOSYS), ("connect", connected, ECONNREFUSED),
      ("AF_UNIX", socket(AF_UNIX), ENOSYS), ("AF_NETLINK", socket(AF_NETLINK, SOCK_RAW), ENOSYS),
      ("AF_PACKET", socket(AF_PACKET, SOCK_RAW), ENOSYS), ("IPv6", socket(AF_INET6, SOCK_DGRAM), 0),
      ("fork", cl_fork() < 0 ? ENOSYS : 0, ENOSYS),
      ("signal its parent", result(Int(kill(getppid(), 0))), ENOSYS),
      ("execute", execv("/bin/true", [nil]) < 0 ? errno : 0, ENOSYS), ("map code", mapped, ENOSYS),
      ("prctl", cl_prctl(PR_SET_DUMPABLE, 1) == -ENOSYS ? ENOSYS : 0, ENOSYS),
    ]
  }

  @Test("a worker that was taken over reads nobody's files, starts nothing, and can but connect")
  func locked() async throws {
    // A pipe: what is locked writes no file.
    let scratch = try Scratch()
    #expect(mkfifo(scratch("found"), 0o600) == 0)
    let reader = Glibc.open(scratch("found"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    await #expect(processExitsWith: .success) { [found = scratch("found") as String] in
      let file = Glibc.open(found, O_WRONLY)
      try Self.lock()
      for (what, found, expected) in Self.attempts() where found != expected {
        let line = "\(what): \(ErrnoName.text(found)), not \(ErrnoName.text(expected))\n"
        _ = write(file, line, line.utf8.count)
      }
      _ = write(file, "done\n", 5)
      _exit(EXIT_SUCCESS)
    }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(reader, &bytes, bytes.count)
    #expect(String(decoding: bytes[..<max(count, 0)], as: UTF8.self) == "done\n")
  }

  // MARK: In the real program

  private static func children(of process: pid_t) throws -> [pid_t] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").flatMap { thread in
      let list = try String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)
      return list.split(separator: " ").compactMap { pid_t($0) }
    }
  }

  private static func isNetwork(_ process: pid_t) -> Bool {
    // The kernel keeps 15 bytes of a name.
    (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) == "forsetti-networ\n"
  }

  @Test(
    "a supervisor that can connect to nobody itself sends telemetry, and takes its worker along however it ends",
    arguments: [SIGTERM, SIGKILL])
  func telemetry(signal: Int32) async throws {
    let scratch = try Scratch()
    let collector = try await CollectorProgram()
    let (server, port) = (collector.process, collector.port)
    defer { server.send(SIGKILL) }
    let examples = try String(contentsOfFile: Product.checkout + "/policy/examples.json", encoding: .utf8)
    let policy = try scratch.write(
      "policy/p.json",
      examples.replacing(
        #""messages": []"#,
        with:
          #""messages": [], "telemetry": {"destination": "collector", "url": "http://127.0.0.1:\#(port)/v1/logs"}"#
      ))
    let supervisor = try SupervisorProcess([
      "run", "--policy", policy, "--manifests", Product.exampleManifests, "--state", scratch("state"),
    ])
    #expect(await supervisor.output(containing: "Running until").contains("Running until"))
    let posted = await server.output(containing: "com.forsetti.example.service")
    #expect(posted.contains("com.forsetti.example.service"))
    let keepers = try Self.children(of: supervisor.processID).filter(Self.isNetwork)
    #expect(keepers.count == 1)
    let workers = try keepers.flatMap(Self.children(of:))
    #expect(workers.count == 1)
    let watched = (keepers + workers).map { cl_pidfd_open($0) }
    defer { for pidfd in watched { close(pidfd) } }
    supervisor.send(signal)
    _ = await supervisor.end()
    for pidfd in watched {
      var polled = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
      #expect(poll(&polled, 1, 60_000) == 1)
    }
  }

  @Test("a policy that lets something leave the host needs the program that does it") func absent() throws {
    let policy = Policy(file: "p.json", telemetry: .collector(url: "http://a.test"))
    #expect(throws: CommandFailure.self) {
      try NetworkAccess(policy: policy, path: "/nonexistent/worker", userID: geteuid())
    }
    #expect(
      try NetworkAccess(policy: Policy(file: "p.json"), path: "/nonexistent/worker", userID: geteuid()) == nil
    )
  }
}
