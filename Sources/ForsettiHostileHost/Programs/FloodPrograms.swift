import ForsettiIPC
import ForsettiModuleKit
import Glibc

/// Programs that send more than anybody can take.
enum FloodPrograms {
  private static let storage = [IORequirement("calls", .storage, .readWrite, required: true)]

  static let all: [Program] = [
    Program("flood_events", needs: []) { context in
      let events = 50_000
      var batch = OutboundQueue()
      for _ in 0..<25 {
        try batch.appendPublish(EventHead(type: "\(context.moduleID).tick"), payload: ["text": "more"])
      }
      let bytes = batch.bytes
      try expect(bytes.count <= Wire.atomicBytes, "a batch of \(bytes.count) bytes is not written whole")
      return "published \(25 * Wire.flood(bytes, times: events / 25, patienceMilliseconds: 10_000))"
    },
    Program("flood_calls", needs: storage) { _ in
      var callID: UInt64 = 1 << 40
      for _ in 0..<800 {
        var batch = OutboundQueue()
        for _ in 0..<25 {
          callID += 1
          try batch.appendCall(StorageMethods.value, StoreKey(store: nil, key: "k"), callID: callID)
        }
        // The supervisor reads no more once so many answers wait: a module that floods holds up itself alone.
        if Wire.flood(batch.bytes, times: 1, patienceMilliseconds: 20) == 0 { break }
      }
      return "called"
    },
    Program("flood_log", needs: []) { context in
      for number in 0..<10_000 {
        say("line \(number)")
        context.logger.info("record \(number)")
      }
      return "logged"
    },
    Program("print_line_of_a_megabyte") {
      let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
      var sent = 0
      while sent < line.count {
        let count = line.withUnsafeBytes { write(1, $0.baseAddress.map { $0 + sent }, line.count - sent) }
        try expect(count > 0, "standard output is closed")
        sent += count
      }
      return "printed"
    },
  ]
}
