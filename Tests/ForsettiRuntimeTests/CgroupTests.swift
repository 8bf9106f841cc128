import ForsettiCore
import ForsettiSandbox
import ForsettiTestKit
import Foundation
import Glibc
import Testing

@testable import ForsettiRuntime

@Suite("What is written into a module's cgroup")
struct CgroupPlanTests {
  private func plan(_ sandbox: SandboxPolicy, _ controllers: Set<String>) -> [String] {
    CgroupPlan.derive(sandbox, controllers: controllers).settings.map { "\($0.file) \($0.text)" }
  }

  @Test("by default the memory of the address space and one task; a policy's word replaces each")
  func settings() {
    var sandbox = SandboxPolicy(limits: SandboxLimits(addressSpaceBytes: 1 << 26))
    #expect(
      plan(sandbox, ["memory", "pids", "cpu"]) == ["memory.max 67108864", "memory.oom.group 1", "pids.max 1"])
    sandbox.direct = [.threads]
    sandbox.limits.threads = 8
    #expect(plan(sandbox, ["pids"]) == ["pids.max 8"])
    sandbox.cgroup[.memoryBytes] = 1 << 25
    sandbox.cgroup[.tasks] = 4
    sandbox.cgroup[.cpuPercent] = 250
    #expect(
      plan(sandbox, ["memory", "pids", "cpu"])
        == ["memory.max 33554432", "memory.oom.group 1", "pids.max 4", "cpu.max 250000 100000"])
  }

  @Test("what the subtree has no controller for is said, not written")
  func unheld() {
    let plan = CgroupPlan.derive(SandboxPolicy(), controllers: ["pids"])
    #expect(plan.settings == [CgroupPlan.Setting(file: "pids.max", text: "1")])
    #expect(plan.unheld.map(\.file) == ["memory.max", "memory.oom.group"])
  }

  @Test("explain says which limits hold by what, and what isn't held")
  func explanation() {
    let rows = { (standing: CgroupStanding) in
      LimitsExplanation.rows(
        SandboxPolicy(), heartbeat: HeartbeatPolicy(), logLinesPerSecond: nil, cgroup: standing,
        hasOwnUser: true)
    }
    #expect(rows(.delegated(["memory"], folder: "/c")).first { $0.name == "memory.max" }?.heldBy == "cgroup")
    #expect(rows(.delegated(["memory"], folder: "/c")).first { $0.name == "pids.max" }?.heldBy == nil)
    for standing in [CgroupStanding.notDelegated, .noHierarchy, .failed(SystemError("mkdir", EBUSY))] {
      #expect(rows(standing).filter { $0.outcome == "not held" }.count == 3)
    }
    let plan = SandboxPlan.derive(grants: [], policy: SandboxPolicy()).explanation.filter {
      $0.list == .limit
    }
    #expect(plan.first { $0.name == "RLIMIT_AS" }?.heldBy == "rlimit")
    #expect(plan.first { $0.name == "RLIMIT_CPU" }?.heldBy == nil)
    #expect(plan.first { $0.name == "processes and threads" }?.heldBy == "filter")
  }

  @Test("explain says what holds the number of a module's threads, and that without it there are none")
  func threads() {
    let sandbox = SandboxPolicy(limits: SandboxLimits(threads: 8), direct: [.threads])
    func row(_ standing: CgroupStanding, hasOwnUser: Bool) -> PlanRow? {
      LimitsExplanation.rows(
        sandbox, heartbeat: HeartbeatPolicy(), logLinesPerSecond: nil, cgroup: standing,
        hasOwnUser: hasOwnUser
      ).first { $0.name == "RLIMIT_NPROC" }
    }
    #expect(row(.noHierarchy, hasOwnUser: true)?.outcome == "8")
    #expect(row(.noHierarchy, hasOwnUser: true)?.heldBy == "rlimit")
    #expect(row(.delegated(["pids"], folder: "/c"), hasOwnUser: false)?.outcome == "not held")
    #expect(ThreadBound.holding(hasOwnUser: false, controllers: ["pids"]) == .cgroup)
    #expect(ThreadBound.holding(hasOwnUser: true, controllers: []) == .ownUser)
    for standing in [CgroupStanding.delegated(["memory"], folder: "/c"), .notDelegated, .noHierarchy] {
      #expect(ThreadBound.holding(hasOwnUser: false, controllers: standing.controllers) == nil)
      #expect(row(standing, hasOwnUser: false)?.reason.contains("is not started") == true)
    }
  }

  @Test(
    "its own cgroup is found whatever is mounted where",
    arguments: [
      ("0::/", "29 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw", "/sys/fs/cgroup"),
      (
        "1:name=systemd:/x\n0::/a.slice/b.service\n", "29 1 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 c rw",
        "/sys/fs/cgroup/a.slice/b.service"
      ),
      ("0::/a/b", "9 1 0:2 / /proc rw - proc proc rw\n29 1 0:26 /a /mnt rw - cgroup2 c rw", "/mnt/b"),
      ("0::/other", "29 1 0:26 /a /mnt rw - cgroup2 c rw", nil),
      ("4:memory:/x", "29 1 0:26 / /sys/fs/cgroup rw - cgroup2 c rw", nil),
      ("0::/x", "29 1 0:26 / /sys/fs/cgroup rw - cgroup c rw", nil), ("", "", nil),
    ] as [(String, String, String?)])
  func place(membership: String, mounts: String, folder: String?) {
    #expect(CgroupPlace.folder(membership: membership, mounts: mounts) == folder)
  }

  @Test("the kernel's count of processes that it ended for memory is read")
  func events() {
    #expect(CgroupLeaf.count("oom_kill", in: "low 0\noom 3\noom_kill 2\noom_group_kill 1\n") == 2)
    #expect(CgroupLeaf.count("oom_kill", in: "low 0\n") == nil)
  }
}

/// A folder that stands in for a subtree: every file that the kernel would make is there.
private func stage(_ scratch: Scratch, _ folder: String, _ files: [String]) throws {
  try FileManager.default.createDirectory(atPath: scratch(folder), withIntermediateDirectories: true)
  for file in files { try scratch.write("\(folder)/\(file)", "") }
}

@Suite("The subtree of cgroups, file by file")
struct CgroupTreeTests {
  private let scratch = try? Scratch()

  private func text(_ file: String) throws -> String {
    let scratch = try #require(scratch)
    return try String(contentsOfFile: scratch(file), encoding: .utf8)
  }

  @Test("the supervisor moves itself into a leaf and hands its controllers down; a leaf gets its limits")
  func files() throws {
    let scratch = try #require(scratch)
    try stage(scratch, "c", ["cgroup.subtree_control"])
    try scratch.write("c/cgroup.controllers", "cpuset cpu io memory pids\n")
    try stage(scratch, "c/supervisor", ["cgroup.procs"])
    try stage(scratch, "c/module-1", ["memory.max", "memory.oom.group", "pids.max", "cgroup.procs"])
    // What an earlier supervisor left is removed only if it is empty: here it is not, and stays.
    try stage(scratch, "c/module-7", ["cgroup.kill"])
    let tree = try CgroupTree(folder: scratch("c"))
    #expect(tree.controllers == ["cpu", "memory", "pids"])
    #expect(try text("c/cgroup.subtree_control") == "+cpu +memory +pids")
    #expect(try text("c/supervisor/cgroup.procs") == "\(getpid())")
    #expect(try text("c/module-7/cgroup.kill") == "1")
    let leaf = try tree.makeLeaf(1, CgroupPlan.derive(SandboxPolicy(), controllers: tree.controllers))
    try leaf.add(4711)
    #expect(try text("c/module-1/memory.max") == "\(1 << 30)")
    #expect(try text("c/module-1/pids.max") == "1")
    #expect(try text("c/module-1/cgroup.procs") == "4711")
    #expect(!leaf.hasKilledForMemory)
    try scratch.write("c/module-1/memory.events", "oom_kill 1\n")
    #expect(leaf.hasKilledForMemory)
  }

  @Test("a limit that can't be written is an error, and leaves no leaf")
  func refused() throws {
    let scratch = try #require(scratch)
    try stage(scratch, "c", ["cgroup.controllers"])
    try stage(scratch, "c/supervisor", ["cgroup.procs"])
    let tree = try CgroupTree(folder: scratch("c"))
    let plan = CgroupPlan.derive(SandboxPolicy(), controllers: ["memory"])
    #expect(throws: SystemError.self) { try tree.makeLeaf(2, plan) }
    #expect(access(scratch("c/module-2"), F_OK) != 0)
  }

  /// A hierarchy of version 2 that this process may make folders in; nobody but root has one unasked.
  private static let hierarchy: String? = CgroupTree.ownFolder().flatMap { access($0, W_OK) == 0 ? $0 : nil }

  @Test(
    "in a real hierarchy a module process is put into its leaf, and the leaf is gone when it is",
    .enabled(if: hierarchy != nil, "needs a cgroup of version 2 that this user may write to"))
  @ReactorActor func real() async throws {
    let home = try #require(Self.hierarchy)
    let folder = home + "/forsetti-test-\(getpid())"
    #expect(mkdir(folder, 0o755) == 0)
    defer {
      // Back to where this process was.
      try? KernelFile.write("\(getpid())", to: home + "/cgroup.procs")
      rmdir(folder + "/supervisor")
      #expect(rmdir(folder) == 0)
    }
    let tree = try CgroupTree(folder: folder)
    let worker = BlockingWorker(on: try BlockingExecutor(name: "cgroups"))
    let cgroups = ModuleCgroups(tree, on: worker)
    var cgroup: ModuleCgroup? = try await cgroups.makeCgroup(for: SandboxPolicy())
    var subject: Subject? = try Subject(host: try builtProgram("forsetti-kit-probe")) {
      $0.entryPoint = "Nothing"
      $0.cgroup = cgroup
    }
    cgroup = nil
    _ = try await subject?.process.launch()
    let pid = try #require(subject?.process.process?.pid)
    #expect(KernelFile.read("/proc/\(pid)/cgroup")?.contains("/module-1\n") == true)
    #expect(await subject?.process.stop().reason == .stopped)
    subject = nil
    while access(folder + "/module-1", F_OK) == 0 { await settle() }
    // What an earlier supervisor left running is ended by the next.
    let left = try tree.makeLeaf(9, CgroupPlan())
    let orphan = try Subject(host: try builtProgram("forsetti-kit-probe")) { $0.entryPoint = "Nothing" }
    _ = try await orphan.process.launch()
    try left.add(try #require(orphan.process.process?.pid))
    _ = try CgroupTree(folder: folder)
    #expect(await orphan.process.exit().status == .signalled(SIGKILL))
    while rmdir(left.folder) != 0, errno == EBUSY { await settle() }
  }
}
