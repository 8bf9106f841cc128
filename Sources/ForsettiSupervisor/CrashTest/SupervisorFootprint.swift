import ForsettiBlocking
import Glibc

/// What this process holds of the kernel: after a crash test it is as it was before.
struct SupervisorFootprint: Equatable, Sendable {
  /// Memory that may stay with the allocator: the queues of one module that was flooded, and what fits between.
  static let memoryTolerance = 16 << 10

  /// Child processes.
  var processes: Int
  /// Open descriptors, but for the sealed executables of bundles: one of each is kept for its next start.
  var descriptors: Int
  /// Memory of its own, KiB.
  var memoryKiB: Int

  /// That of this process, now.
  static func current() -> SupervisorFootprint {
    var children = 0
    for thread in FolderNames.all(in: "/proc/self/task") {
      children += text(of: "/proc/self/task/\(thread)/children").split(separator: " ").count
    }
    let lines = text(of: "/proc/self/status").split(separator: "\n")
    let memory = lines.first { $0.hasPrefix("RssAnon:") }?.split(whereSeparator: { $0 == " " || $0 == "\t" })
    return SupervisorFootprint(
      processes: children, descriptors: descriptors,
      memoryKiB: memory.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0)
  }

  private static var descriptors: Int {
    FolderNames.all(in: "/proc/self/fd").count { name in
      var target = [CChar](repeating: 0, count: 256)
      let length = readlink("/proc/self/fd/" + name, &target, target.count)
      // The folder's own descriptor is closed again by now.
      guard length > 0 else { return false }
      return !String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self).hasPrefix(
        "/memfd:forsetti-module")
    }
  }

  /// What is more than it was, one line each; empty where all is as before.
  func excess(over before: SupervisorFootprint) -> [String] {
    var excess: [String] = []
    if processes > before.processes {
      excess.append("\(processes) processes, before it were \(before.processes)")
    }
    if descriptors > before.descriptors {
      excess.append("\(descriptors) descriptors, before it were \(before.descriptors)")
    }
    if memoryKiB > before.memoryKiB + Self.memoryTolerance {
      excess.append("\(memoryKiB) KiB of memory, before it were \(before.memoryKiB)")
    }
    return excess
  }

  /// A file of /proc, as far as it fits.
  private static func text(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(file, &buffer, buffer.count)
    return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
  }
}
