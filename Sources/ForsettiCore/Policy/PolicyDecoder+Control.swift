extension PolicyReader {
  /// Who may do what over the control socket.
  mutating func control(_ node: PolicyNode) -> ControlPolicy {
    guard let object = object(node, .control) else { return ControlPolicy() }
    var holders: [ControlRight: [ControlPolicy.Holder]] = [:]
    for right in ControlRight.allCases {
      guard let node = object[right.rawValue] else { continue }
      holders[right] = list(node, key: { $0 }) { (reader, node) in reader.holder(node) }.map(\.element)
    }
    return ControlPolicy(holders)
  }

  /// Where the web console listens.
  mutating func console(_ node: PolicyNode) -> ListenAddress? {
    guard let listen = object(node, .console)?["listen"], let text = string(listen) else { return nil }
    guard let address = ListenAddress(text) else {
      fault(listen, "\"127.0.0.1:PORT\" or \"unix:/PATH\" is meant: the console is for this host alone")
      return nil
    }
    return address
  }

  private mutating func holder(_ node: PolicyNode) -> ControlPolicy.Holder? {
    guard let object = object(node, .controlHolder) else { return nil }
    // The greatest number is what system calls take for "none".
    let range: ClosedRange<Int64> = 0...4_294_967_294
    switch (object["uid"], object["gid"]) {
    case (let uid?, nil): return integer(uid, in: range).map { .user(UInt32($0)) }
    case (nil, let gid?): return integer(gid, in: range).map { .group(UInt32($0)) }
    default:
      fault(node, "either \"uid\" or \"gid\" is meant")
      return nil
    }
  }
}
