// A profile as it holds on the machine that Forsetti is for: x86-64, and a process without capabilities.
extension OCIProfile {
  /// libseccomp's name of this machine.
  static let nativeArchitecture = "SCMP_ARCH_X86_64"
  /// Go's name of it.
  private static let nativeName = "amd64"

  /// What it does with the calls of this machine, by number. Any other call: its default.
  func stances(on kernel: KernelVersion) -> [Int32: OCIStance] {
    var stances: [Int32: OCIStance] = [:]
    for entry in entries where holds(entry, on: kernel) && !isDefault(entry) {
      // A name that stands there twice says nothing more.
      for number in Set(entry.names.compactMap(SyscallNames.number(of:))) {
        stances[number, default: OCIStance(defaultAction)].add(entry)
      }
    }
    return stances
  }

  /// Whether an entry is for this machine and a process without capabilities.
  func holds(_ entry: Entry, on kernel: KernelVersion) -> Bool {
    entry.includes.capabilities.isEmpty && holdsButForCapabilities(entry, on: kernel)
  }

  /// Whether it is for this machine, whatever the process has.
  func holdsButForCapabilities(_ entry: Entry, on kernel: KernelVersion) -> Bool {
    let (includes, excludes) = (entry.includes, entry.excludes)
    return (includes.architectures.isEmpty || includes.architectures.contains(Self.nativeName))
      && !excludes.architectures.contains(Self.nativeName)
      && includes.kernel.map { $0 <= kernel } ?? true && excludes.kernel.map { $0 > kernel } ?? true
  }

  /// Entries that say what is so anyway are none (runc): libseccomp refuses them.
  private func isDefault(_ entry: Entry) -> Bool {
    entry.action == defaultAction
      && (entry.action != .errno || entry.errno ?? 1 == defaultErrno ?? 1)
  }
}
