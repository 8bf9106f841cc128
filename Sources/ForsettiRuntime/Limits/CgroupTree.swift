import CLinux
import ForsettiBlocking
import Glibc

/// The subtree of cgroups that this supervisor was given: itself in one leaf, each module in another, since a cgroup with
/// controllers for its children has no processes of its own. All calls may block; they are made on a thread for that.
final class CgroupTree: Sendable {
  private static let own = "supervisor"
  private static let leafPrefix = "module-"

  /// The subtree's root.
  let folder: String
  /// The controllers that its leaves have.
  let controllers: Set<String>

  /// Whether the cgroup that this process is in was given to it. Only who has CAP_SYS_ADMIN can read every mark, so a
  /// supervisor asks before it reduces itself.
  static func standing() -> CgroupStanding {
    guard let folder = ownFolder() else { return .noHierarchy }
    guard isDelegated(folder) else { return .notDelegated }
    return .delegated(useful(in: folder), folder: folder)
  }

  /// The folder of this process's cgroup, or of the one it was moved from by a supervisor.
  static func ownFolder() -> String? {
    guard let membership = KernelFile.read("/proc/self/cgroup"),
      let mounts = KernelFile.read("/proc/self/mountinfo"),
      let folder = CgroupPlace.folder(membership: membership, mounts: mounts)
    else { return nil }
    return folder.hasSuffix("/" + own) ? String(folder.dropLast(own.utf8.count + 1)) : folder
  }

  /// systemd marks what it gives away (`Delegate=yes`); to root it looks writable everywhere.
  private static func isDelegated(_ folder: String) -> Bool {
    cl_has_mark(folder, "user.delegate") == 1 || cl_has_mark(folder, "trusted.delegate") == 1
  }

  private static func useful(in folder: String) -> Set<String> {
    let offered = KernelFile.read(folder + "/cgroup.controllers") ?? ""
    return Set(offered.split(whereSeparator: \.isWhitespace).map(String.init)).intersection(
      CgroupPlan.controllers)
  }

  /// Takes over a cgroup: moves this process into a leaf of it, hands its controllers down, and removes what an earlier
  /// supervisor left.
  /// - Throws: where a step fails, by others who live in the cgroup, for instance (EBUSY).
  init(folder: String) throws(SystemError) {
    self.folder = folder
    controllers = Self.useful(in: folder)
    try Self.make(folder + "/" + Self.own)
    try KernelFile.write("\(getpid())", to: folder + "/" + Self.own + "/cgroup.procs")
    // The network worker's keeper was there before; a cgroup that hands its controllers down may hold no process. One
    // that has ended meanwhile needs no move.
    for process in KernelFile.read(folder + "/cgroup.procs")?.split(separator: "\n") ?? [] {
      try? KernelFile.write(String(process), to: folder + "/" + Self.own + "/cgroup.procs")
    }
    if !controllers.isEmpty {
      try KernelFile.write(
        controllers.sorted().map { "+" + $0 }.joined(separator: " "), to: folder + "/cgroup.subtree_control")
    }
    for name in FolderNames.all(in: folder)
    where name.hasPrefix(Self.leafPrefix) {
      CgroupLeaf(folder: folder + "/" + name).remove()
    }
  }

  /// A leaf for one process, with its limits set.
  /// - Parameter number: not that of another leaf.
  func makeLeaf(_ number: Int, _ plan: CgroupPlan) throws(SystemError) -> CgroupLeaf {
    let leaf = CgroupLeaf(folder: "\(folder)/\(Self.leafPrefix)\(number)")
    try Self.make(leaf.folder)
    do {
      for setting in plan.settings {
        try KernelFile.write(setting.text, to: leaf.folder + "/" + setting.file)
      }
    } catch {
      leaf.remove()
      throw error
    }
    return leaf
  }

  private static func make(_ folder: String) throws(SystemError) {
    guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw SystemError("mkdir \(folder)", errno) }
  }
}

/// The cgroup of one module process.
struct CgroupLeaf: Sendable {
  let folder: String

  /// Moves a process in. What it has taken until then stays on the supervisor's account.
  func add(_ process: Int32) throws(SystemError) {
    try KernelFile.write("\(process)", to: folder + "/cgroup.procs")
  }

  /// Whether the kernel has ended a process of it for want of memory.
  var hasKilledForMemory: Bool {
    (KernelFile.read(folder + "/memory.events").flatMap { Self.count("oom_kill", in: $0) } ?? 0) > 0
  }

  static func count(_ name: String, in events: String) -> Int? {
    for line in events.split(separator: "\n") where line.hasPrefix(name + " ") {
      return Int(line.dropFirst(name.utf8.count + 1))
    }
    return nil
  }

  /// Ends whatever is in it still, and removes it.
  func remove() {
    // cgroup.kill came with Linux 5.14; our floor is later.
    try? KernelFile.write("1", to: folder + "/cgroup.kill")
    rmdir(folder)
  }
}

/// Small files of /proc and of cgroups.
enum KernelFile {
  static func read(_ path: String) -> String? {
    guard let file = try? Descriptor.open(path, O_RDONLY) else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 1 << 20 {
      let count = Glibc.read(file.number, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The beginning of an open file, 4 KiB at most; `nil` when it can't be read any more.
  static func text(of file: borrowing Descriptor) -> String? {
    read(file) { $0.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
  }

  /// The same, as bytes that `body` reads.
  static func read<Value>(_ file: borrowing Descriptor, _ body: (Span<UInt8>) -> Value?) -> Value? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer in
      let count = pread(file.number, buffer.baseAddress, buffer.count, 0)
      return count > 0 ? body(UnsafeBufferPointer(rebasing: buffer[..<count]).span) : nil
    }
  }

  static func write(_ text: String, to path: String) throws(SystemError) {
    let file = try Descriptor.open(path, O_WRONLY)
    var text = text
    let count = text.withUTF8 { Glibc.write(file.number, $0.baseAddress, $0.count) }
    guard count == text.utf8.count else { throw SystemError("write \(path)", errno) }
  }
}
