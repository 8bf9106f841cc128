import ForsettiCore
import ForsettiIPC

/// The heads of the last frames that a module sent. Noting one writes to memory that is there already; what a head means
/// is looked up only when somebody asks.
struct FrameHeads {
  private struct Entry {
    var header: FrameHeader
    /// The first bytes of the head: enough for the service and the method of a call.
    var prefix: UInt64
  }

  private var entries: [Entry] = []
  /// Where the next one goes, once the ring is full.
  private var next = 0

  init() { entries.reserveCapacity(CrashEvidence.frameHeads) }

  mutating func note(_ frame: borrowing Frame) {
    let entry = Entry(header: frame.header, prefix: Self.prefix(of: frame.head))
    guard entries.count == CrashEvidence.frameHeads else { return entries.append(entry) }
    entries[next] = entry
    next = next + 1 == entries.count ? 0 : next + 1
  }

  /// What they say, oldest first.
  var heads: [CrashFrameHead] {
    (entries[next...] + entries[..<next]).map { entry in
      CrashFrameHead(
        kind: "\(entry.header.kind)", callID: entry.header.callID, length: entry.header.length,
        method: entry.header.kind == .call ? Self.method(entry.prefix) : nil)
    }
  }

  private static func prefix(of head: Span<UInt8>) -> UInt64 {
    // A plain integer, inside the eight bytes that are there.
    if head.count >= 8 {
      return UInt64(littleEndian: head.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt64.self))
    }
    var prefix: UInt64 = 0
    for index in 0..<head.count { prefix |= UInt64(head[index]) << UInt64(8 * index) }
    return prefix
  }

  /// The method that a head begins with, if it is one of a call: a map whose keys 0 and 1 come first (`CallHead`).
  private static func method(_ prefix: UInt64) -> String? {
    let bytes = withUnsafeBytes(of: prefix.littleEndian) { Array($0) }
    var reader = CBORReader(bytes.span)
    guard (try? reader.mapCount(limit: 6)) != nil, (try? reader.unsigned()) == 0,
      let service = try? reader.unsigned(), (try? reader.unsigned()) == 1,
      let number = try? reader.unsigned(),
      let method = ServiceCatalog.method(
        service: UInt8(clamping: service), number: UInt8(clamping: number))
    else { return nil }
    return method.name
  }
}
