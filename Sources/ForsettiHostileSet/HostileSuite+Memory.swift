// Memory: what can be executed, what is shared, and how much there is.
extension HostileSuite {
  static let memory: [HostileCase] = [
    HostileCase(
      "map-exec", "maps memory it can execute", program: "try_mmap_exec", .ends(.violation("mmap"))),
    HostileCase(
      "protect-exec", "makes memory executable", program: "try_mprotect_exec", .ends(.violation("mprotect"))),
    HostileCase(
      "map-fixed", "maps over what is there", program: "try_mmap_fixed", .ends(.violation("mmap"))),
    HostileCase(
      "move-fixed", "moves memory over what is there", program: "try_mremap_fixed",
      .ends(.violation("mremap"))),
    HostileCase(
      "shared-memory", "maps shared memory, which no data limit counts", program: "try_mmap_shared",
      .ends(.violation("mmap"))),
    HostileCase(
      "grow-down-memory", "maps memory that grows by itself", program: "try_mmap_grow_down",
      .ends(.violation("mmap"))),
    HostileCase(
      "address-space", "reserves 64 GiB of addresses", program: "reserve_addresses",
      .survives(saying: "refused")),
    HostileCase(
      "memory-bomb", "takes memory until there is none", program: "crash_memory_exhausted",
      .ends(.outOfMemory),
      lastWords: "failed to allocate"),
    HostileCase(
      "memory-at-once", "takes 8 GiB at once", program: "crash_allocation_refused", .ends(.outOfMemory),
      lastWords: "failed to allocate"),
    HostileCase(
      "stack-overflow", "calls itself for ever", program: "crash_stack_overflow",
      .ends(.crashed(signal: signalSegmentation))),
  ]

  // Numbers of signal(7), the same on x86-64 and arm64.
  static let signalIllegal: Int32 = 4
  static let signalSegmentation: Int32 = 11
  static let signalTerminate: Int32 = 15
}
