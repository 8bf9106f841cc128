public import ForsettiCore

// A node is an array: the number of its kind, then its parts. Both ends hold depth and number of nodes to the limits
// of `ViewNode`, which keeps the CBOR within its own depth.
extension ViewNode: CallValue {
  /// Writes the tree.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    var budget = Self.maximumNodes
    try writer.node(self, depth: 1, &budget)
  }

  /// Reads a tree.
  public init(from reader: inout CBORReader) throws(CBORError) {
    var budget = Self.maximumNodes
    self = try reader.node(depth: 1, &budget)
  }

  /// Enough for a page.
  public var sizeHint: Int { 4096 }
}

extension CBORError {
  /// Counts one node; throws where it is one too many or too deep.
  fileprivate static func count(depth: Int, _ budget: inout Int, at start: Int) throws(CBORError) {
    if depth > ViewNode.maximumDepth { throw CBORError(.tooDeep(limit: ViewNode.maximumDepth), at: start) }
    budget &-= 1
    if budget < 0 { throw CBORError(.tooManyItems(limit: ViewNode.maximumNodes), at: start) }
  }
}

extension CBORWriter {
  fileprivate mutating func node(_ node: ViewNode, depth: Int, _ budget: inout Int) throws(CBORError) {
    try CBORError.count(depth: depth, &budget, at: 0)
    switch node {
    case .text(let text, let style):
      begin(1, parts: 2)
      try self.text(text)
      try choice(style)
    case .list(let nodes, let style):
      begin(2, parts: 2)
      try choice(style)
      try self.nodes(nodes, depth: depth, &budget)
    case .table(let columns, let rows):
      begin(3, parts: 2)
      try texts(columns)
      if rows.count > ViewNode.maximumNodes { throw CBORError(.tooLong(limit: ViewNode.maximumNodes)) }
      array(count: rows.count)
      for row in rows {
        if row.count != columns.count { throw CBORError(.inconsistent("a row of another width")) }
        try nodes(row, depth: depth, &budget)
      }
    case .keyValues(let pairs):
      begin(4, parts: 1)
      if pairs.count > ProtocolLimits.items { throw CBORError(.tooLong(limit: ProtocolLimits.items)) }
      array(count: pairs.count)
      for pair in pairs {
        array(count: 2)
        try name(pair.key)
        try self.node(pair.value, depth: depth + 1, &budget)
      }
    case .form(let form):
      begin(5, parts: 3)
      try array(form.fields) { (writer, field) throws(CBORError) in try writer.formField(field) }
      try name(form.submitTitle)
      try text(form.eventType, limit: ProtocolLimits.eventType)
    case .chart(let chart): try self.chart(chart)
    case .badge(let text, let tone):
      begin(7, parts: 2)
      try name(text)
      try choice(tone)
    case .progress(let value, let label):
      begin(8, parts: 2)
      if let value, !(0...1 ~= value) {
        throw CBORError(.inconsistent("progress that is not within 0 and 1"))
      }
      if let value { float(value) } else { null() }
      try name(label)
    case .button(let title, let action):
      begin(9, parts: 2)
      try name(title)
      try self.action(action)
    }
  }

  private mutating func begin(_ kind: UInt64, parts: Int) {
    array(count: 1 + parts)
    unsigned(kind)
  }

  private mutating func nodes(_ nodes: [ViewNode], depth: Int, _ budget: inout Int) throws(CBORError) {
    array(count: nodes.count)
    for node in nodes { try self.node(node, depth: depth + 1, &budget) }
  }

  private mutating func formField(_ field: ViewField) throws(CBORError) {
    array(count: 6)
    try name(field.fieldID)
    try name(field.label)
    try choice(field.kind.word)
    if case .choice(let options) = field.kind { try texts(options) } else { null() }
    try name(field.value)
    bool(field.isRequired)
  }

  private mutating func chart(_ chart: ViewChart) throws(CBORError) {
    begin(6, parts: 3)
    try choice(chart.kind)
    try texts(chart.labels)
    try array(chart.series) { (writer, series) throws(CBORError) in
      guard series.values.count == chart.labels.count, series.values.allSatisfy(\.isFinite) else {
        throw CBORError(.inconsistent("a series that doesn't fit its chart's labels"))
      }
      writer.array(count: 2)
      try writer.name(series.name)
      try writer.array(series.values) { (writer, value) throws(CBORError) in writer.float(value) }
    }
  }
}

extension ViewField.Kind {
  fileprivate enum Word: String {
    case text, multiline, secret, number, toggle, choice
  }

  fileprivate var word: Word {
    switch self {
    case .text: .text
    case .multiline: .multiline
    case .secret: .secret
    case .number: .number
    case .toggle: .toggle
    case .choice: .choice
    }
  }
}

extension CBORReader {
  fileprivate mutating func node(depth: Int, _ budget: inout Int) throws(CBORError) -> ViewNode {
    let start = offset
    try CBORError.count(depth: depth, &budget, at: start)
    let count = try arrayCount(limit: 4)
    guard count > 1 else { throw CBORError(.inconsistent("a node without parts"), at: start) }
    let kind = try unsigned()
    let parts = [2, 2, 2, 1, 3, 3, 2, 2, 2]
    guard 1...9 ~= kind else { throw CBORError(.outOfRange, at: start) }
    guard parts[Int(kind) - 1] == count - 1 else {
      throw CBORError(.inconsistent("a node with other parts than its kind has"), at: start)
    }
    switch kind {
    case 1: return .text(try text(limit: FrameHeader.maximumPayload), style: try choice())
    case 2:
      let style: ViewListStyle = try choice()
      return .list(try nodes(depth: depth, &budget), style: style)
    case 3: return try table(depth: depth, &budget)
    case 4: return .keyValues(try keyValues(depth: depth, &budget))
    case 5: return .form(try form())
    case 6: return .chart(try chart())
    case 7: return .badge(try name(), tone: try choice())
    case 8: return .progress(try progress(), label: try name())
    default: return .button(title: try name(), action: try action())
    }
  }

  private mutating func nodes(depth: Int, _ budget: inout Int) throws(CBORError) -> [ViewNode] {
    let start = offset
    let count = try arrayCount(limit: ViewNode.maximumNodes)
    if count > budget { throw CBORError(.tooManyItems(limit: ViewNode.maximumNodes), at: start) }
    var nodes: [ViewNode] = []
    nodes.reserveCapacity(count)
    for _ in 0..<count { nodes.append(try node(depth: depth + 1, &budget)) }
    return nodes
  }

  private mutating func table(depth: Int, _ budget: inout Int) throws(CBORError) -> ViewNode {
    let columns = try names()
    let count = try arrayCount(limit: ViewNode.maximumNodes)
    var rows: [[ViewNode]] = []
    rows.reserveCapacity(count)
    for _ in 0..<count {
      let start = offset
      let row = try nodes(depth: depth, &budget)
      if row.count != columns.count { throw CBORError(.inconsistent("a row of another width"), at: start) }
      rows.append(row)
    }
    return .table(columns: columns, rows: rows)
  }

  private mutating func keyValues(depth: Int, _ budget: inout Int) throws(CBORError) -> [ViewKeyValue] {
    let count = try arrayCount(limit: ProtocolLimits.items)
    var pairs: [ViewKeyValue] = []
    pairs.reserveCapacity(count)
    for _ in 0..<count {
      try parts(2)
      pairs.append(ViewKeyValue(try name(), try node(depth: depth + 1, &budget)))
    }
    return pairs
  }

  private mutating func form() throws(CBORError) -> ViewForm {
    let count = try arrayCount(limit: ProtocolLimits.items)
    var fields: [ViewField] = []
    fields.reserveCapacity(count)
    for _ in 0..<count { fields.append(try formField()) }
    return ViewForm(
      fields: fields, submitTitle: try name(), eventType: try text(limit: ProtocolLimits.eventType))
  }

  private mutating func formField() throws(CBORError) -> ViewField {
    try parts(6)
    let fieldID = try name()
    let label = try name()
    let word: ViewField.Kind.Word = try choice()
    let start = offset
    let options = try nullIfNext() ? nil : try names()
    let kind: ViewField.Kind
    switch (word, options) {
    case (.text, nil): kind = .text
    case (.multiline, nil): kind = .multiline
    case (.secret, nil): kind = .secret
    case (.number, nil): kind = .number
    case (.toggle, nil): kind = .toggle
    case (.choice, let options?): kind = .choice(options)
    default: throw CBORError(.inconsistent("options of no choice, or a choice without"), at: start)
    }
    return ViewField(
      fieldID: fieldID, label: label, kind: kind, value: try name(), isRequired: try bool())
  }

  private mutating func chart() throws(CBORError) -> ViewChart {
    let kind: ViewChart.Kind = try choice()
    let labels = try names()
    let count = try arrayCount(limit: ProtocolLimits.items)
    var series: [ViewChart.Series] = []
    series.reserveCapacity(count)
    for _ in 0..<count {
      try parts(2)
      let name = try name()
      let start = offset
      guard try arrayCount(limit: ProtocolLimits.items) == labels.count else {
        throw CBORError(.inconsistent("a series that doesn't fit its chart's labels"), at: start)
      }
      var values: [Double] = []
      values.reserveCapacity(labels.count)
      for _ in labels { values.append(try finite()) }
      series.append(ViewChart.Series(name, values))
    }
    return ViewChart(kind, labels: labels, series: series)
  }

  private mutating func progress() throws(CBORError) -> Double? {
    if try nullIfNext() { return nil }
    let start = offset
    let value = try finite()
    guard 0...1 ~= value else {
      throw CBORError(.inconsistent("progress that is not within 0 and 1"), at: start)
    }
    return value
  }

  private mutating func finite() throws(CBORError) -> Double {
    let start = offset
    let value = try float()
    guard value.isFinite else { throw CBORError(.outOfRange, at: start) }
    return value
  }

  private mutating func names() throws(CBORError) -> [String] {
    let count = try arrayCount(limit: ProtocolLimits.items)
    var names: [String] = []
    names.reserveCapacity(count)
    for _ in 0..<count { names.append(try name()) }
    return names
  }
}
