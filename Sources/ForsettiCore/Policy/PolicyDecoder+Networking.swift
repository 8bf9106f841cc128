extension PolicyReader {
  /// What the modules of a rule may reach.
  mutating func networking(_ node: PolicyNode) -> NetworkingRules? {
    guard let object = object(node, .networking) else { return nil }
    var rules = NetworkingRules()
    for number in NetworkingRules.Number.allCases {
      guard let node = object[number.rawValue], let value = integer(node, in: number.range) else { continue }
      rules[number] = Int(value)
    }
    rules.allow = object["allow"].map { array($0) }?.compactMap { networkTarget($0) } ?? []
    return rules
  }

  private mutating func networkTarget(_ node: PolicyNode) -> NetworkTarget? {
    guard let object = object(node, .networkTarget) else { return nil }
    let hosts = object["hosts"].map { node in
      notEmpty(node, list(node, key: { $0 }) { $0.networkHost($1) }.map(\.element))
    }
    var target = NetworkTarget(hosts: hosts ?? [])
    if let node = object["schemes"] {
      target.schemes = notEmpty(
        node, list(node, key: { $0 }) { $0.choice($1, "scheme", of: NetworkScheme.self) }.map(\.element))
    }
    if let node = object["ports"] {
      target.ports = notEmpty(
        node, list(node, key: { $0 }) { $0.integer($1, in: 1...65_535) }.map { Int($0.element) })
    }
    if let node = object["methods"] {
      target.methods = notEmpty(
        node, list(node, key: { $0 }) { $0.choice($1, "method", of: NetworkMethod.self) }.map(\.element))
    }
    if let node = object["addresses"] {
      target.addresses = list(node, key: { $0 }) { $0.addressRange($1) }.map(\.element)
    }
    return target
  }

  /// An empty list here would allow nothing at all, which is not what an entry is for.
  private mutating func notEmpty<Element>(_ node: PolicyNode, _ elements: [Element]) -> [Element] {
    if node.value.elements?.isEmpty == true { fault(node, "at least one is meant") }
    return elements
  }

  private mutating func networkHost(_ node: PolicyNode) -> NetworkHost? {
    guard let text = string(node) else { return nil }
    if let host = NetworkHost(text) { return host }
    fault(
      node,
      "no host: a name such as \"api.example.com\", names below one such as \"*.example.com\", or an address")
    return nil
  }

  private mutating func addressRange(_ node: PolicyNode) -> AddressRange? {
    guard let text = string(node) else { return nil }
    if let range = AddressRange(text) { return range }
    fault(
      node,
      "no range of addresses: such as \"10.0.0.0/8\" or \"fd00::/8\" is meant, with zeros behind the prefix")
    return nil
  }

  /// Where the events of modules go.
  mutating func telemetry(_ node: PolicyNode) -> TelemetryPolicy? {
    guard let object = object(node, .telemetry), let named = object["destination"],
      let destination = choice(named, "destination", of: TelemetryPolicy.Destination.self)
    else { return nil }
    for (key, node) in object.members.sorted(by: { $0.key < $1.key }) {
      let owner = TelemetryPolicy.Destination.allCases.first { $0.keys.contains(key) }
      if let owner, owner != destination {
        fault(node, "\(key.quoted()) belongs to destination \(owner.rawValue.quoted())")
      }
    }
    switch destination {
    case .off: return .off
    case .file:
      let bytes = object["bytes"].flatMap { integer($0, in: TelemetryPolicy.bytesRange) }
      let files = object["files"].flatMap { integer($0, in: TelemetryPolicy.filesRange) }
      return .file(
        bytes: bytes.map { Int($0) } ?? TelemetryPolicy.defaultBytes,
        files: files.map { Int($0) } ?? TelemetryPolicy.defaultFiles)
    case .collector:
      guard let node = object["url"] else {
        fault(node, "\"url\" is missing")
        return nil
      }
      return collectorURL(node, "logs").map { .collector(url: $0) }
    }
  }

  /// Where spans of calls go.
  mutating func traces(_ node: PolicyNode) -> TracePolicy? {
    guard let object = object(node, .traces) else { return nil }
    let url = object["url"].flatMap { collectorURL($0, "traces") }
    let rate = object["rate"].flatMap { share($0) }
    guard let url, let rate else { return nil }
    return TracePolicy(url: url, rate: rate)
  }

  private mutating func collectorURL(_ node: PolicyNode, _ signal: String) -> String? {
    guard let url = text(node) else { return nil }
    guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
      fault(node, "a URL is meant, such as \"https://collector.example.com:4318/v1/\(signal)\"")
      return nil
    }
    return url
  }

  /// A part of a whole, of which there is some.
  private mutating func share(_ node: PolicyNode) -> Double? {
    guard let share = node.value.doubleValue, share > 0, share <= 1 else {
      fault(node, "a number above 0 is meant, up to 1 for all")
      return nil
    }
    return share
  }
}
