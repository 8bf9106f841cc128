import ForsettiCore

extension SandboxPlan {
  /// The descriptors of a symbol worker, in the worker.
  private static let answer: UInt32 = 4
  /// The executable whose symbols are asked for.
  private static let executable: UInt32 = 5

  private static let workerLimits = SandboxLimits(
    addressSpaceBytes: 256 << 20, dataBytes: 64 << 20, openFiles: 8, cpuSeconds: 2)

  /// What holds the worker that reads the symbols of executables for crash reports. It serves nobody, so nothing is
  /// served: every call but these fails, for its listener is closed. A kernel without Landlock holds it by the filter,
  /// which knows no file.
  public static let symbolWorker = SandboxPlan(
    kernel: base(openFiles: workerLimits.openFiles).filter { !["read", "write", "ppoll"].contains($0.name) }
      + [
        SyscallRule(
          "pread64", [ArgumentCondition(0, "fd", .word(executable...executable))],
          because: "the executable, which it was started with"),
        SyscallRule("write", [ArgumentCondition(0, "fd", .word(answer...answer))], because: "its one answer"),
      ],
    served: [],
    landlock: LandlockPlan(
      reason: "handles every right this kernel's ABI knows and allows none: it opens nothing"),
    limits: workerLimits, mayBeMissing: [.landlock], brokered: [])
}
