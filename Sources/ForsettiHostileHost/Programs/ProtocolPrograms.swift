import ForsettiHostileSet
import ForsettiIPC
import ForsettiModuleKit
import Glibc

/// Programs that break the protocol on the wire. One that returns was believed.
enum ProtocolPrograms {
  private static let believed = "the supervisor took it"
  private static let storage = [IORequirement("calls", .storage, .readWrite, required: true)]

  static let all: [Program] = [
    Program("send_garbage") {
      Wire.send([8, 0, 0, 0, 99, 0, 0, 0] + [UInt8](repeating: 0, count: 24))
      return believed
    },
    Program("send_half_a_frame") {
      Wire.send([100, 0, 0, 0, FrameKind.publish.rawValue, 0, 10, 0])
      exit(0)
    },
    Program("send_huge_length") {
      Wire.send([255, 255, 255, 255, FrameKind.publish.rawValue, 0, 0, 0] + [UInt8](repeating: 0, count: 16))
      return believed
    },
    Program("send_wrong_call_id") {
      Wire.send { try $0.appendReply(Nothing(), callID: 77) }
      return believed
    },
    Program("send_call_id_twice", needs: storage) { _ in
      Wire.send { queue in
        for _ in 0..<2 {
          try queue.appendCall(StorageMethods.value, StoreKey(store: nil, key: "k"), callID: 1 << 40)
        }
      }
      return believed
    },
    Program("send_deep_cbor") {
      // Arrays of one array each, a thousand deep.
      let payload = [UInt8](repeating: 0x81, count: 1_000) + [0]
      Wire.send { try $0.appendReply(payload: payload.span, callID: 77) }
      return believed
    },
    Program("send_forged_source") {
      let head = CallHead(
        service: RuntimeMethods.subscribe.info.serviceNumber, method: RuntimeMethods.subscribe.number,
        source: HostileNeighbour.caller.moduleID)
      Wire.send {
        try $0.appendCall(head, payload: [UInt8]([0x60]).span, callID: 1 << 40, timeoutMilliseconds: 0)
      }
      return believed
    },
    Program("send_foreign_frame") {
      Wire.send { try $0.appendDropped(count: 1) }
      return believed
    },
    Program("send_description_again", needs: []) { context in
      let item = ToolbarItemDescriptor(
        itemID: "undeclared", title: "Undeclared", action: .navigate(pointerID: "undeclared"))
      Wire.send(
        try ProtocolMessage.describe(
          DescribeMessage(
            descriptor: context.manifest.descriptor, manifest: context.manifest, isUIModule: true,
            contributions: UIContributions(toolbarItems: [item]))
        ).encoded())
      return believed
    },
    Program("send_started_again") {
      Wire.send(try ProtocolMessage.started.encoded())
      return believed
    },
  ]
}
