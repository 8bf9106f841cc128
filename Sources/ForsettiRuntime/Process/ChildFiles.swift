import ForsettiBlocking
import Glibc

/// Files of a child in /proc, opened while it may still be looked into. They are bound to the child's memory and
/// task, not to its number, and go on working after it made itself undumpable.
struct ChildFiles: ~Copyable, Sendable {
  private let memory: Descriptor
  private let descriptors: NumberedFolder
  private let footprint: Descriptor
  private let map: Descriptor

  /// Opens them; the child must be unreaped, so that its number is its own.
  init(of process: pid_t) throws(SystemError) {
    let folder = "/proc/\(process)"
    let memory = try Descriptor.open(folder + "/mem", O_RDONLY)
    let descriptors = try NumberedFolder(folder + "/fd")
    let footprint = try Descriptor.open(folder + "/smaps_rollup", O_RDONLY)
    let map = try Descriptor.open(folder + "/maps", O_RDONLY)
    self.memory = memory
    self.descriptors = descriptors
    self.footprint = footprint
    self.map = map
  }

  /// The text at `address` up to its NUL, at most 256 bytes of it, with what is no UTF-8 replaced; `nil` when nothing
  /// is mapped there.
  func text(at address: UInt64) -> String? {
    guard let offset = off_t(exactly: address) else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = pread(memory.number, buffer.baseAddress, buffer.count, offset)
      guard count > 0 else { return nil }
      return String(decoding: buffer[..<count].prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// The numbers of the child's open descriptors.
  func openDescriptors() throws(SystemError) -> [Int32] { try descriptors.numbers() }

  /// What the child has mapped, of the first 256 KiB that the kernel tells of it; `nil` once it has no memory.
  func memoryMap() -> MemoryMap? {
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    // One read gives whole lines, a page of them at most.
    while text.count < 1 << 18 {
      let count = pread(map.number, &piece, piece.count, off_t(text.count))
      guard count > 0 else { break }
      text += piece[..<count]
    }
    return text.isEmpty ? nil : MemoryMap(String(decoding: text, as: UTF8.self))
  }

  /// Descriptors of its own for whoever reads elsewhere than on the reactor; the child must be unreaped still.
  func gauge(of process: pid_t) throws(SystemError) -> ProcessGauge {
    let memory = fcntl(footprint.number, F_DUPFD_CLOEXEC, 0)
    guard memory >= 0 else { throw SystemError("dup", errno) }
    let memoryMap = Descriptor(owning: memory)
    return ProcessGauge(
      pid: process, stat: try Descriptor.open("/proc/\(process)/stat", O_RDONLY), memory: memoryMap)
  }
}

/// Lines of `Name: value`, as /proc/PID/status and smaps_rollup have them.
struct StatusFile {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Reads /proc/PID/status, which everyone may; `nil` when there is no such process.
  init?(of process: pid_t) {
    guard let file = try? Descriptor.open("/proc/\(process)/status", O_RDONLY) else { return nil }
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = read(file.number, &buffer, buffer.count)
    guard count > 0 else { return nil }
    self.init(String(decoding: buffer[..<count], as: UTF8.self))
  }

  /// The whole number that stands first in the named line.
  func integer(_ name: String) -> Int? {
    // By bytes: characters cost a hundred times as much, and a file has sixty lines.
    let start = Array((name + ":").utf8)
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.starts(with: start) {
      let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t")]
      let word = line.dropFirst(start.count).drop { blanks.contains($0) }.prefix { !blanks.contains($0) }
      return Int(Substring(word))
    }
    return nil
  }
}
