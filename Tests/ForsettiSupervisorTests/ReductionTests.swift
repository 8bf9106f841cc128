import CLinux
import ForsettiLockdown
import Foundation
import Glibc
import Testing

@testable import ForsettiCore
@testable import ForsettiSupervisor

/// What a supervisor can still reach once it has reduced itself: in a process of its own, and in the real program.
@Suite struct ReductionTests {
  /// What an attempt comes to; 0 is success.
  private static func open(_ path: String, _ flags: Int32) -> Int32 {
    let file = Glibc.open(path, flags | O_CLOEXEC, 0o600)
    guard file >= 0 else { return errno }
    close(file)
    return 0
  }

  /// Reduces this process as a run with these folders does.
  private static func reduce(_ root: String) throws {
    let policy = Policy(file: "p.json")
    for folder in ["state", "run", "policy", "manifests", "bin", "outside"] {
      mkdir(root + "/" + folder, 0o700)
      try "x".write(toFile: root + "/\(folder)/file", atomically: false, encoding: .utf8)
    }
    let places = SupervisorReduction.Places(
      own: StatePlaces(state: root + "/state", runtime: root + "/run"), policy: policy,
      policyPath: root + "/policy/p.json", manifests: root + "/manifests", bundles: root + "/state/bundles",
      host: root + "/bin/forsetti-module-host", environment: [:], cgroup: nil)
    _ = try SupervisorReduction.derive(places, policy: policy).apply()
  }

  /// What was found instead of what was expected; nothing where they are the same.
  private static func difference(_ what: String, _ found: Int32, _ expected: Int32) -> String {
    found == expected ? "" : "\(what): \(ErrnoName.text(found)), not \(ErrnoName.text(expected))\n"
  }

  @Test(
    "inside its folders everything goes on; outside nothing is read, written, made or executed, by no thread")
  func reach() async throws {
    let scratch = try Scratch()
    await #expect(processExitsWith: .success) { [root = scratch.path as String] in
      try Self.reduce(root)
      // A thread that is made later, like all of the supervisor's, is in the same domain.
      Thread {
        let found = Self.differences(root) + Self.differencesOfTheRest(root)
        try? found.joined().write(toFile: root + "/run/file", atomically: false, encoding: .utf8)
        exit(EXIT_SUCCESS)
      }.start()
      while true { pause() }
    }
    #expect(try String(contentsOfFile: scratch("run/file"), encoding: .utf8) == "")
  }

  private static func differences(_ root: String) -> [String] {
    let inside: [(String, Int32, Int32)] = [
      ("/state/file", O_RDWR, 0), ("/state/new", O_WRONLY | O_CREAT, 0), ("/run/file", O_RDWR, 0),
      ("/policy/file", O_RDONLY, 0), ("/manifests/file", O_RDONLY, 0), ("/bin/file", O_RDONLY, 0),
      ("/policy/file", O_WRONLY, EACCES), ("/policy/new", O_WRONLY | O_CREAT, EACCES),
      ("/manifests/file", O_WRONLY, EACCES), ("/bin/file", O_WRONLY, EACCES),
      ("/outside/file", O_RDONLY, EACCES), ("/outside", O_RDONLY | O_DIRECTORY, EACCES),
      ("/outside/new", O_WRONLY | O_CREAT, EACCES),
    ]
    let ofFolders = inside.map { difference($0.0, open(root + $0.0, $0.1), $0.2) }
    let far = ["/etc/shadow", "/etc/passwd", "/etc/resolv.conf", "/sys", "/root", "/dev/zero"]
    return ofFolders + far.map { difference($0, open($0, O_RDONLY), EACCES) }
  }

  private static func differencesOfTheRest(_ root: String) -> [String] {
    func result(_ code: Int32) -> Int32 { code == 0 ? 0 : errno }
    var pid: pid_t = 0
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    let bound = withUnsafeBytes(of: &address) {
      bind(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
    let boundTo = result(bound)
    // To whom doesn't matter: the kernel asks the domain first.
    let connected = withUnsafeBytes(of: &address) {
      connect(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
    let connectedTo = result(connected)
    var found = [
      difference("unlink", result(unlink(root + "/outside/file")), EACCES),
      difference("rename out", result(rename(root + "/state/file", root + "/outside/moved")), EACCES),
      difference("symlink", result(symlink("/etc/passwd", root + "/state/link")), EACCES),
      difference("device", result(mknod(root + "/state/device", S_IFIFO | 0o600, 0)), EACCES),
      difference("exec", posix_spawn(&pid, "/bin/true", nil, nil, [nil], [nil]), EACCES),
    ]
    // What an older kernel does not know it cannot refuse.
    if cl_landlock_abi() >= 4 {
      found += [difference("bind", boundTo, EACCES), difference("connect", connectedTo, EACCES)]
    }
    if cl_landlock_abi() >= 6 { found.append(difference("signal", result(kill(getppid(), 0)), EPERM)) }
    return found
  }

  // MARK: The real program

  private static let threadLines = [
    "NoNewPrivs:\t1", "CapInh:\t0000000000000000", "CapAmb:\t0000000000000000",
  ]

  @Test("every thread of a running supervisor has no new privileges, and only four capabilities when root")
  func capabilities() async throws {
    let scratch = try Scratch()
    let supervisor = try SupervisorProcess([
      "run", "--policy", Product.strictPolicy, "--state", scratch("state"), "--log-level", "info",
    ])
    #expect(await supervisor.output(containing: "Running until").contains("the supervisor itself: "))
    let kept = geteuid() == 0 ? "00000000000800e0" : "0000000000000000"
    let folder = "/proc/\(supervisor.processID)/task"
    let threads = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(threads.count > 2)
    for thread in threads {
      let status = try String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
      for line in Self.threadLines + ["CapPrm:\t\(kept)", "CapEff:\t\(kept)"] {
        #expect(status.contains(line + "\n"), "thread \(thread): \(line)")
      }
    }
    supervisor.send(SIGTERM)
    let end = await supervisor.end()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.errors.contains("the supervisor itself: "))
    #expect(!FileManager.default.fileExists(atPath: scratch("state/run/control.sock")))
  }

  @Test("a running supervisor can't read what its entitlements' folder becomes a link to") func running()
    async throws
  {
    let scratch = try Scratch()
    let unlocked = "{\"unlockedModuleIDs\": \(ReportedBoot.order)}"
    try scratch.write("inside/e.json", unlocked)
    try scratch.write("outside/e.json", unlocked)
    try FileManager.default.createSymbolicLink(
      atPath: scratch("place"), withDestinationPath: scratch("inside"))
    let development = try String(contentsOfFile: Product.developmentPolicy, encoding: .utf8)
    let policy = try scratch.write(
      "policy/p.json",
      development.replacing(
        #""provider": "allowAll""#, with: #""provider": "file", "path": "\#(scratch("place/e.json"))""#))
    let supervisor = try SupervisorProcess([
      "run", "--policy", policy, "--manifests", Product.manifests, "--state", scratch("state"), "--log-level",
      "info",
    ])
    #expect(await supervisor.output(containing: "Running until").contains("Running until"))
    try FileManager.default.removeItem(atPath: scratch("place"))
    try FileManager.default.createSymbolicLink(
      atPath: scratch("place"), withDestinationPath: scratch("outside"))
    // It looks again at the path when what it watches changes.
    try scratch.write("inside/e.json", "{}")
    let heard = await supervisor.errors(containing: "outside/e.json")
    #expect(heard.contains("outside/e.json: cannot be read: Permission denied"), "\(heard)")
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  @Test("without Landlock it does not start and says why, unless the policy lets it be missing")
  func withoutLandlock() async throws {
    let scratch = try Scratch()
    let deny = Product.folder + "/forsetti-deny"
    func run(_ policy: String) async throws -> SupervisorProcess.End {
      try await SupervisorProcess.run(
        [
          "landlock_create_ruleset", Product.supervisor, "run", "--once", "--policy", policy, "--manifests",
          Product.manifests, "--state", scratch("state"),
        ], executable: deny)
    }
    let refused = try await run(Product.strictPolicy)
    #expect(refused.status == ExitStatus.osError.rawValue)
    #expect(refused.errors.contains("cannot give up its rights: landlock: ENOSYS"), "\(refused.errors)")
    let allowed = try await run(Product.developmentPolicy)
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(allowed.output.contains("the supervisor itself: no Landlock"), "\(allowed.output)")
  }
}
