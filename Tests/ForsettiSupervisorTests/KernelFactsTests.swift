import Glibc
import Testing

@testable import ForsettiSupervisor

@Suite struct KernelFactsTests {
  private func facts(_ abi: Int, root: Bool = true) -> KernelFacts {
    KernelFacts(release: "6.1.0", landlockABI: abi, isRoot: root)
  }

  @Test("what a kernel lacks is named with the version that has it") func missing() {
    #expect(facts(7).missing == [])
    #expect(facts(2).missing.map { $0.contains("Linux 6.12; this is 6.1.0") } == [true])
    #expect(facts(0).missing.first?.hasPrefix("Landlock (Linux 6.1.0 has none or it is off)") == true)
    #expect(facts(7, root: false).missing == ["a user ID for each module: only root can give it"])
  }

  @Test("each layer is one line, and says no more than the kernel gives") func layers() {
    #expect(facts(7).layers(kernelCalls: 12, servedCalls: 16).count == 3)
    #expect(facts(7).layers(kernelCalls: 12, servedCalls: 16)[1].hasSuffix("no socket or signal outside"))
    #expect(facts(2).layers(kernelCalls: 12, servedCalls: 16)[1] == "Landlock ABI 2: no file")
    #expect(facts(4).layers(kernelCalls: 12, servedCalls: 16)[1] == "Landlock ABI 4: no file, no TCP port")
    #expect(facts(7).layers(kernelCalls: 12, servedCalls: 16)[2].hasPrefix("seccomp: 12 system calls"))
  }

  @Test("the running kernel has a release and says what its Landlock is") func current() {
    let facts = KernelFacts.current(userID: geteuid())
    #expect(!facts.release.isEmpty)
    #expect(facts.landlockABI >= 0)
  }
}
