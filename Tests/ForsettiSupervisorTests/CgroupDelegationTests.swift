import Foundation
import Glibc
import Testing

@testable import ForsettiRuntime

/// A cgroup that is given to a supervisor, in the real hierarchy.
private final class GivenCgroup {
  /// The hierarchy of version 2, where this process may make cgroups in it and mark them.
  static let hierarchy: String? = geteuid() == 0 ? CgroupTree.ownFolder() : nil

  let folder: String

  /// - Parameter mark: what says that it is given away.
  init(in hierarchy: String, mark: String) async throws {
    folder = hierarchy + "/forsetti-given-\(getpid())-\(mark)"
    guard mkdir(folder, 0o755) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    // Swift's Glibc has no setxattr(2).
    let end = try await SupervisorProcess.run(
      ["-c", "import os, sys; os.setxattr(sys.argv[1], sys.argv[2], b'1')", folder, mark],
      executable: "/usr/bin/python3")
    try #require(end.status == 0, "\(end.errors)")
  }

  deinit {
    rmdir(folder + "/supervisor")
    rmdir(folder)
  }

  /// A supervisor that is in it from its first instruction.
  func supervisor(_ arguments: [String]) throws -> SupervisorProcess {
    try SupervisorProcess(
      ["-c", "echo $$ > \"$0\" && exec \"$@\"", folder + "/cgroup.procs", Product.supervisor] + arguments,
      executable: "/bin/sh")
  }
}

@Suite struct CgroupDelegationTests {
  @Test(
    "a cgroup is used whichever mark says that it was given away, also by root, which has given up reading one of them",
    .enabled(if: GivenCgroup.hierarchy != nil, "needs root and a hierarchy of version 2"),
    arguments: ["user.delegate", "trusted.delegate"])
  func marks(mark: String) async throws {
    let scratch = try Scratch()
    let given = try await GivenCgroup(in: try #require(GivenCgroup.hierarchy), mark: mark)
    let supervisor = try given.supervisor([
      "run", "--policy", Product.strictPolicy, "--state", scratch("state"),
    ])
    _ = await supervisor.output(containing: "Running until")
    let own = try String(contentsOfFile: "/proc/\(supervisor.processID)/cgroup", encoding: .utf8)
    #expect(own.contains("/supervisor\n"), "\(own)")
    let explained = try await SupervisorProcess.run(
      ["explain", "scanner", "--running", "--format", "json", "--state", scratch("state")])
    #expect(explained.status == 0, "\(explained.errors)")
    // The supervisor has what it was given, whatever controllers that has.
    #expect(!explained.output.contains("was not given to the supervisor"), "\(explained.output)")
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }
}
