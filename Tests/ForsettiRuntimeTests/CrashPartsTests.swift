import ForsettiCore
import ForsettiIPC
import Testing

@testable import ForsettiRuntime

@Suite("What is remembered of a process for its report") struct CrashPartsTests {
  @Test("the last 50 lines stay, oldest first, long ones cut, with their times") func tail() {
    var tail = LogTail()
    for number in 0..<60 {
      tail.add(.line("line \(number)", droppedBytes: 0), at: 1_000_000_000 + UInt64(number) * 1_000_000)
    }
    tail.add(
      .record(LogMessage(level: .error, message: String(repeating: "ü", count: 2_000), metadata: ["k": "v"])),
      at: 2_000_000_000)
    tail.add(.dropped(3), at: 2_001_000_000)
    let lines = tail.lines(since: 1_000_000_000)
    #expect(lines.count == 50)
    #expect(lines.first == CrashLogLine(atMilliseconds: 12, level: nil, text: "line 12"))
    #expect(lines[48].level == .error && lines[48].text.utf8.count <= CrashEvidence.logLineBytes + 3)
    #expect(lines[49].level == .warning && lines[49].text.hasPrefix("3 records"))
  }

  @Test("the last 20 frames stay, oldest first, and a call's method is named") func heads() throws {
    var queue = OutboundQueue()
    for id in 1...24 {
      try queue.appendCall(RuntimeMethods.subscribe, "a", callID: UInt64(id))
    }
    try queue.appendCancel(callID: 25)
    var decoder = FrameDecoder()
    let bytes = queue.withPendingBytes { Array($0) }
    decoder.withWritableBuffer(minimum: bytes.count) { $0.copyBytes(from: bytes) }
    decoder.didRead(bytes.count)
    var heads = FrameHeads()
    #expect(heads.heads == [])
    while let frame = try decoder.next() { heads.note(frame) }
    let noted = heads.heads
    #expect(noted.map(\.callID) == Array(6...25))
    #expect(noted.first?.kind == "call" && noted.first?.method == "runtime.subscribe")
    #expect(noted.last == CrashFrameHead(kind: "cancel", callID: 25, length: 0))
  }

  @Test(
    "a head that is no call's names no method, and traps nothing", arguments: [[], [0xff], [0xa1, 0, 0x18]])
  func strangeHead(head: [UInt8]) throws {
    var heads = FrameHeads()
    heads.note(
      Frame(
        header: FrameHeader(
          kind: .call, length: UInt32(head.count), headLength: UInt16(head.count), callID: 1),
        head: head.span, payload: Span()))
    #expect(heads.heads == [CrashFrameHead(kind: "call", callID: 1, length: UInt32(head.count))])
  }

  @Test("a file's beginning in memory is found by any of its addresses, and by no other") func map() {
    let map = MemoryMap(
      """
      00400000-00401000 r--p 00000000 00:01 7                                  /memfd:forsetti-module (deleted)
      00401000-00405000 r-xp 00001000 00:01 7                                  /memfd:forsetti-module (deleted)
      00500000-00600000 rw-p 00000000 00:00 0
      7ffe00000000-7ffe00001000 rw-p 00000000 00:00 0                          [stack]
      zzz-1 r--p
      """)
    #expect(map.base(of: 0x401234) == 0x400000)
    #expect(map.base(of: 0x400000) == 0x400000)
    #expect(map.base(of: 0x405000) == nil)
    #expect(map.base(of: 0x500010) == nil)
    #expect(MemoryMap("").base(of: 0) == nil)
  }
}
