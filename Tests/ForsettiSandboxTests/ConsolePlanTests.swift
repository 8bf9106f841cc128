import ForsettiCore
import ForsettiSandbox
import Testing

@Suite struct ConsolePlanTests {
  @Test(
    "the console starts nothing, opens nothing, and makes no socket")
  func narrow() throws {
    let plan = SandboxPlan.console
    let names = Set(plan.kernelNames)
    for name in [
      "socket", "socketpair", "connect", "openat", "execve", "execveat", "fork", "vfork", "clone3", "open",
      "openat2", "bind", "listen", "ptrace", "kill",
      "unlink",
      "unlinkat", "renameat2", "memfd_create", "io_uring_setup", "bpf", "setuid", "mount",
    ] { #expect(!names.contains(name), "\(name)") }
    #expect(plan.served.isEmpty)
    for name in ["prctl", "clone", "fcntl"] {
      #expect(plan.kernel.filter { $0.name == name }.allSatisfy { !$0.conditions.isEmpty }, "\(name)")
    }
  }

  @Test("it compiles, and the filter fits the page that the console is told in")
  func compiles() throws {
    let filter = try FilterCompiler.compile(.console)
    #expect(filter.bytes.count < 3_500, "\(filter.bytes.count)")
  }
}
