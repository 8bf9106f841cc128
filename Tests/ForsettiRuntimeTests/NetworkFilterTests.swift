import ForsettiSandbox
import Testing

@testable import ForsettiRuntime

/// The filter of the network worker, call by call.
@Suite("The network worker's filter", .serialized, .timeLimit(.minutes(2))) struct NetworkFilterTests {
  @Test("lets through what its plan says, and every other call fails") func filter() throws {
    let rows = try SyscallMatrix(probePath: "\(Shipped.buildFolder)/forsetti-syscall-probe").run([
      .init(policy: "network worker", plan: .networkWorker)
    ])
    #expect(Set(rows.map(\.mode)) == Set(ProbedCall.Way.allCases))
    for row in rows { #expect(row.unexpected.isEmpty, "\(row.mode): \(row.unexpected.prefix(8))") }
    #expect(SandboxPlan.networkWorker.served.isEmpty)
  }

  @Test("starts no process, executes nothing, and makes sockets of the Internet alone") func narrow() {
    let names = Set(SandboxPlan.networkWorker.kernelNames)
    #expect(
      names.isDisjoint(with: [
        "execve", "execveat", "fork", "vfork", "clone3", "ptrace", "process_vm_readv", "bpf",
        "io_uring_setup",
        "mount", "unshare", "setns", "memfd_create", "bind", "listen", "accept", "accept4", "kill", "tgkill",
        "prctl", "seccomp", "unlink", "unlinkat", "rename", "renameat2", "pidfd_open", "pidfd_getfd", "dup2",
      ]))
    for name in ["mmap", "mprotect", "clone", "socket", "socketpair", "ioctl"] {
      let rules = SandboxPlan.networkWorker.kernel.filter { $0.name == name }
      #expect(!rules.isEmpty && rules.allSatisfy { !$0.conditions.isEmpty }, "\(name)")
    }
  }
}
