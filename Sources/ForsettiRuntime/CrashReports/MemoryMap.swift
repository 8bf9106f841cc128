import ForsettiCore

/// The files that a process has mapped, as /proc/PID/maps tells (proc(5)). The text is the kernel's; the names in it may
/// be anybody's.
struct MemoryMap: Sendable {
  private struct Region {
    let range: Range<UInt64>
    let offset: UInt64
    let file: Substring
  }

  private let regions: [Region]

  /// Reads lines of `start-end permissions offset device inode file`; those without a file are left out.
  init(_ text: String) {
    regions = text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      guard words.count == 6 else { return nil }
      let ends = words[0].split(separator: "-")
      guard ends.count == 2, let start = UInt64(ends[0], radix: 16), let end = UInt64(ends[1], radix: 16),
        start < end, let offset = UInt64(words[2], radix: 16)
      else { return nil }
      return Region(range: start..<end, offset: offset, file: words[5])
    }
  }

  /// Where the file that holds an address begins in memory; `nil` for an address in no file.
  func base(of address: UInt64) -> UInt64? {
    guard let region = regions.first(where: { $0.range.contains(address) }) else { return nil }
    return regions.first { $0.file == region.file && $0.offset == 0 }?.range.lowerBound
  }
}
